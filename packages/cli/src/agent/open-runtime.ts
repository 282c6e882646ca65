/** Opens the agent file of a command line in a runtime, with events and progress as the options say. */
import { resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { createRedactor, hideSplitSecrets } from '@joust/results'
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
  /** Hides keys and headers of this machine in output. */
  readonly hide: Hide
  /** Keys and headers of this machine. */
  readonly secrets: readonly string[]
  /** Closes the runtime, then the file of events. */
  close(): Promise<void>
}

/** Opens agent and runtime; prints errors. With `nameRuns`, progress lines name their run. */
export async function openRuntime(
  path: string,
  options: BindingOptions,
  io: Io,
  nameRuns = false,
): Promise<Result<OpenedRuntime, OpenFault>> {
  const opened = await openAgent(path, io, options)
  if (!opened.ok) return opened
  const capture = captureErrors(io)
  const project = await readProject(options.config, options.quiet, capture.io)
  if (!project.ok) return err(capture.fault(project.error))
  const bound = await bindRuntime(options, project.value, capture.io, { agent: opened.value.agent, withMemory: true })
  if (!bound.ok) return err(capture.fault(bound.error))
  const events = openEvents(options.events, capture.io)
  if (!events.ok) return err(capture.fault(events.error))
  const { id } = opened.value.agent.document.metadata
  const progress = options.quiet ? undefined : createProgress(id, io, nameRuns)
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

/** Streams whose stderr text also becomes the message of an error. */
function captureErrors(io: Io) {
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

/** The file for events, or a sink without the option; the exit code if the file cannot be written. */
function openEvents(file: string | undefined, io: Io): Result<EventFile, number> {
  if (file === undefined) return ok({ onEvent: () => undefined, close: () => undefined })
  try {
    return ok(openEventFile(resolve(io.cwd, file)))
  } catch (error) {
    return err(wrongUsage([`${file} cannot be written: ${messageOf(error)}`], io))
  }
}

/** Hides secrets in a value; the shape stays the same. */
type Hide = <T>(value: T) => T

/** Hides secrets before calling `listener`; `flush` passes on text held back as the possible start of a secret. */
async function hideSecrets(project: Project | undefined, io: Io, listener: EventListener) {
  const secrets = await secretsOfMachine(project, io)
  const [all, known] = [createRedactor({ secrets }), createRedactor({ secrets, shapes: false })]
  invariant(all.ok && known.ok, 'a redactor without patterns is valid')
  const split = hideSplitSecrets<RunEvent>(
    {
      secrets: all.value.secrets,
      streamOf: ({ run, type }) => `${run} ${type}`,
      valueOf: (event) => (event.type === 'model-text' ? { message: event.message, delta: event.delta } : null),
      // Only the text of a delta was changed.
      hidden: (event, value) => ({ ...event, ...(value as object) }) as RunEvent,
    },
    // Events and results are plain data, and redaction keeps their shape.
    (event) => listener(all.value.value(event as unknown as Value) as unknown as RunEvent),
  )
  // Known secrets only: text that merely looks like a secret may be the requested output.
  const hide: Hide = <T>(value: T) => known.value.value(value as unknown as Value) as unknown as T
  return { onEvent: split.push, flush: split.flush, hide, secrets }
}
