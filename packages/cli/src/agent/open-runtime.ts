/** Opens the agent file given on the command line in a runtime that reports events and progress. */
import { resolve } from 'node:path'
import { parseEnv, stripVTControlCharacters } from 'node:util'
import { createRedactor, hideSplitSecrets } from '@joust/results'
import {
  createRuntime,
  createSpanExporter,
  type EventFile,
  type EventListener,
  openEventFile,
  type RunEvent,
  type Runtime,
} from '@joust/runtime'
import { err, invariant, messageOf, ok, type Result, type Value } from '@joust/source'
import { readText } from '../input/read.ts'
import type { BindingOptions } from '../options/agent.ts'
import { secretsOfMachine } from '../project/known-secrets.ts'
import { type Project, readProject } from '../project/read.ts'
import { type Io, tell, wrongUsage } from '../terminal/io.ts'
import { bindRuntime } from './bind-runtime.ts'
import { createCostMeter } from './cost.ts'
import { type OpenedAgent, type OpenFault, openAgent } from './open-agent.ts'
import { createProgress, type ProgressOptions } from './progress.ts'

interface OpenedRuntime extends OpenedAgent {
  readonly runtime: Runtime
  readonly hide: Hide
  /** Adds a listener for the redacted events of all runs; returns a function that removes the listener. */
  listen(listener: EventListener): () => void
  /** Emits text that was held back as the possible start of a secret. */
  flush(): void
  /** Secrets of this machine, such as model keys and header values. */
  readonly secrets: readonly string[]
  cost(): number | undefined
  /** Closes the runtime, then the event file. */
  close(): Promise<void>
}

export async function openRuntime(
  path: string,
  options: BindingOptions & Parameters<typeof bindRuntime>[0],
  outer: Io,
  progressOf: Partial<ProgressOptions> = {},
): Promise<Result<OpenedRuntime, OpenFault>> {
  const opened = await openAgent(path, outer, options)
  if (!opened.ok) return opened
  const variables = await readEnvFile(options.envFile, outer)
  const io = variables.ok ? { ...outer, env: { ...variables.value, ...outer.env } } : outer
  const capture = captureErrors(io)
  if (!variables.ok) return err(capture.fault(wrongUsage([variables.error], capture.io)))
  const project = await readProject(options.config, options.quiet, capture.io)
  if (!project.ok) return err(capture.fault(project.error))
  const bound = await bindRuntime(options, project.value, capture.io, { agent: opened.value.agent, withMemory: true })
  if (!bound.ok) return err(capture.fault(bound.error))
  const hasMemory = opened.value.agent.document.memory !== undefined && bound.value.memory !== undefined
  if (hasMemory && options.memory === undefined && !options.quiet)
    tell(io, 'the agent has a memory, which is used only with --memory NAME')
  const events = openEvents(options.events, capture.io)
  if (!events.ok) return err(capture.fault(events.error))
  const { id } = opened.value.agent.document.metadata
  const progress = options.quiet ? undefined : createProgress(id, io, progressOf)
  const { prices = {}, ...runtimeOptions } = bound.value
  const meter = createCostMeter(prices)
  const spans = createSpanExporter({ env: io.env, onFault: (message) => tell(io, message) })
  const listeners = new Set([meter.onEvent, ...(spans === undefined ? [] : [spans.onEvent]), events.value.onEvent])
  const hiding = await hideSecrets(project.value, io, (event) => {
    for (const listener of listeners) listener(event)
    // Last, so that streamed text can end its line first.
    progress?.(event)
  })
  const runtime = createRuntime({ ...runtimeOptions, onEvent: hiding.onEvent })
  const close = async () => {
    await runtime.close()
    hiding.flush()
    events.value.close()
    await spans?.close()
    const cost = meter.text()
    if (cost !== undefined && !options.quiet) tell(io, cost)
  }
  const { hide, flush, secrets } = hiding
  const listen = (listener: EventListener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return ok({ ...opened.value, runtime, close, hide, flush, secrets, listen, cost: meter.cost })
}

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

async function readEnvFile(file: string | undefined, io: Io): Promise<Result<Io['env'], string>> {
  if (file === undefined) return ok({})
  const text = await readText(resolve(io.cwd, file), io)
  return text.ok ? ok(parseEnv(text.value)) : err(`--env-file ${file}: ${text.error.message}`)
}

function openEvents(file: string | undefined, io: Io): Result<EventFile, number> {
  if (file === undefined) return ok({ onEvent: () => undefined, close: () => undefined })
  try {
    return ok(openEventFile(resolve(io.cwd, file)))
  } catch (error) {
    return err(wrongUsage([`${file} cannot be written: ${messageOf(error)}`], io))
  }
}

type Hide = <T>(value: T) => T

/** Hides secrets before calling `listener`; `flush` emits text held back as the possible start of a secret. */
async function hideSecrets(project: Project | undefined, io: Io, listener: EventListener) {
  const secrets = await secretsOfMachine(project, io)
  const [all, known] = [createRedactor({ secrets }), createRedactor({ secrets, shapes: false })]
  invariant(all.ok && known.ok, 'a redactor without patterns is always valid')
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
