/** The agent file of a command line in a runtime of its own; events and progress go where the options say. */
import { resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { createRedactor, hideSplitSecrets } from '@joust/arena'
import {
  createRuntime,
  type EventFile,
  type EventListener,
  openEventFile,
  type RunEvent,
  type Runtime,
} from '@joust/runtime'
import { err, invariant, messageOf, ok, type Result, type Value } from '@joust/source'
import type { BindingOptions } from '../options/agent.ts'
import { secretsOfMachine } from '../project/known-secrets.ts'
import { type Project, readProject } from '../project/read.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'
import { bindRuntime } from './bind-runtime.ts'
import { type OpenedAgent, type OpenFault, openAgent } from './open-agent.ts'
import { createProgress } from './progress.ts'

interface OpenedRuntime extends OpenedAgent {
  readonly runtime: Runtime
  /** Hides keys and headers of this machine in what is printed. */
  readonly hide: Hide
  /** Keys and headers of this machine. */
  readonly secrets: readonly string[]
  /** Closes the runtime, then the file of events. */
  close(): Promise<void>
}

/** Opens everything, or says what is wrong. `tellRuns`: lines of progress name their run. */
export async function openRuntime(
  path: string,
  options: BindingOptions,
  io: Io,
  tellRuns = false,
): Promise<Result<OpenedRuntime, OpenFault>> {
  const opened = await openAgent(path, io, options)
  if (!opened.ok) return opened
  const heard = overhear(io)
  const project = await readProject(options.config, options.quiet, heard.io)
  if (!project.ok) return err(heard.fault(project.error))
  const bound = await bindRuntime(options, project.value, heard.io, { agent: opened.value.agent })
  if (!bound.ok) return err(heard.fault(bound.error))
  const events = openEvents(options.events, heard.io)
  if (!events.ok) return err(heard.fault(events.error))
  const { id } = opened.value.agent.document.metadata
  const progress = options.quiet ? undefined : createProgress(id, io, tellRuns)
  const hiding = await hideSecrets(project.value, io, (event) => {
    events.value.onEvent(event)
    progress?.(event)
  })
  const runtime = createRuntime({ ...bound.value, onEvent: hiding.onEvent })
  const close = async () => {
    await runtime.close()
    hiding.flush()
    events.value.close()
  }
  return ok({ ...opened.value, runtime, close, hide: hiding.hide, secrets: hiding.secrets })
}

/** The same streams; what people are told also becomes the message of an error. */
function overhear(io: Io) {
  let text = ''
  const write = (more: string) => {
    text += more
    io.stderr.write(more)
  }
  const fault = (exitCode: number): OpenFault => {
    const message = stripVTControlCharacters(text)
      .replaceAll(/^joust: /gm, '')
      .trim()
    return { exitCode, error: { code: 'config_invalid', message, agent: [] } }
  }
  return { io: { ...io, stderr: { ...io.stderr, write } }, fault }
}

/** The file for events, or one that drops them; the exit code when it cannot be written. */
function openEvents(file: string | undefined, io: Io): Result<EventFile, number> {
  if (file === undefined) return ok({ onEvent: () => undefined, close: () => undefined })
  try {
    return ok(openEventFile(resolve(io.cwd, file)))
  } catch (error) {
    return err(wrongUsage([`${file} cannot be written: ${messageOf(error)}`], io))
  }
}

/** Returns a value of the same shape. */
type Hide = <T>(value: T) => T

/** A listener that hides secrets, then calls `listener`; `flush` passes on what waits for the rest of a secret. */
async function hideSecrets(project: Project | undefined, io: Io, listener: EventListener) {
  const secrets = await secretsOfMachine(project, io)
  const [all, known] = [createRedactor({ secrets }), createRedactor({ secrets, shapes: false })]
  invariant(all.ok && known.ok, 'no patterns, no faults')
  const split = hideSplitSecrets<RunEvent>(
    {
      secrets: all.value.secrets,
      streamOf: ({ run, type }) => `${run} ${type}`,
      valueOf: (event) => (event.type === 'model-text' ? { message: event.message, delta: event.delta } : null),
      // Only a delta was changed, and it is still a text.
      hidden: (event, value) => ({ ...event, ...(value as object) }) as RunEvent,
    },
    // Events and results are plain data, and hiding keeps their shape.
    (event) => listener(all.value.value(event as unknown as Value) as unknown as RunEvent),
  )
  // Not what only looks like a secret: the output is what the user asked for.
  const hide: Hide = <T>(value: T) => known.value.value(value as unknown as Value) as unknown as T
  return { onEvent: split.push, flush: split.flush, hide, secrets }
}
