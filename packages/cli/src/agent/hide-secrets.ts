/** What agents do and say, without the secrets of this machine: a peer may repeat a key or a header. */
import { createRedactor, hideSplitSecrets } from '@joust/arena'
import type { EventListener, RunEvent } from '@joust/runtime'
import { invariant, type Value } from '@joust/source'
import { secretsOfMachine } from '../project/known-secrets.ts'
import type { Project } from '../project/read.ts'
import type { Io } from '../terminal/io.ts'

/** A value of the same shape. */
export type Hide = <T>(value: T) => T

interface Hiding {
  readonly onEvent: EventListener
  /** Passes on what waits for the rest of a secret. */
  flush(): void
  /** Hides what is known to be secret, and nothing that only looks like it: the output is what the user asked for. */
  readonly hide: Hide
  /** What is known to be secret. */
  readonly secrets: readonly string[]
}

/** A listener that hides secrets, then tells `listener`. */
export async function hideSecrets(project: Project | undefined, io: Io, listener: EventListener): Promise<Hiding> {
  const secrets = await secretsOfMachine(project, io)
  const [all, known] = [createRedactor({ secrets }), createRedactor({ secrets, shapes: false })]
  invariant(all.ok && known.ok, 'no patterns, no faults')
  const split = hideSplitSecrets<RunEvent>(
    {
      secrets: all.value.secrets,
      streamOf: ({ run, type }) => `${run} ${type}`,
      valueOf: (event) => (event.type === 'model-text' ? { message: event.message, delta: event.delta } : null),
      // Only a delta has been looked at, and it stays a text.
      hidden: (event, value) => ({ ...event, ...(value as object) }) as RunEvent,
    },
    // Events and results are plain data, and hiding keeps their shape.
    (event) => listener(all.value.value(event as unknown as Value) as unknown as RunEvent),
  )
  const hide = <T>(value: T) => known.value.value(value as unknown as Value) as unknown as T
  return { onEvent: split.push, flush: split.flush, hide, secrets }
}
