/** Servers and runtimes that are closed with the test. */
import { afterEach } from 'vitest'
import type { RunEvent } from '../../src/model/events.ts'
import type { RuntimeOptions } from '../../src/model/options.ts'
import { createRuntime, type Runtime } from '../../src/runtime.ts'
import { leafPolicy } from './agents.ts'

/** Something that can be closed. */
interface Closable {
  close(): Promise<void>
}

/** A runtime, and all its events. */
export interface Host {
  readonly runtime: Runtime
  readonly events: RunEvent[]
}

/** Creates runtimes, and closes what it is given, last first. */
export function useHost(): { host(options?: RuntimeOptions): Host; closing<T extends Closable>(thing: T): T } {
  const open: Closable[] = []
  afterEach(async () => {
    for (const thing of open.splice(0).reverse()) await thing.close()
  })
  const closing = <T extends Closable>(thing: T): T => {
    open.push(thing)
    return thing
  }
  return {
    closing,
    host(options = {}) {
      const events: RunEvent[] = []
      const policies = { 'x-test.leaf': leafPolicy, ...options.policies }
      const runtime = createRuntime({ env: {}, ...options, policies, onEvent: (event) => void events.push(event) })
      return { runtime: closing(runtime), events }
    },
  }
}

/** Waits until a condition holds; the test's own timeout limits the wait. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}
