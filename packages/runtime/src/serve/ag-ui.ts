/** Serves an agent over AG-UI. Each POST starts or continues a run and is answered with an event stream. */
import { type AGUIEvent, EventType, type JsonPatchOperation, type RunAgentInput } from '@ag-ui/core'
import { RunAgentInputSchema } from '@ag-ui/core/schemas'
import type { Agent, InterfaceSchema } from '@joust/agentformat'
import { onAbort } from '@joust/io'
import {
  deepEqual,
  defined,
  err,
  isRecord,
  ok,
  own,
  ownText,
  type Result,
  type Value,
  type ValueRecord,
} from '@joust/source'
import type { Approver } from '../model/approval.ts'
import type { RunError } from '../model/errors.ts'
import type { RunEvent } from '../model/events.ts'
import { runtimeLimits } from '../model/limits.ts'
import type { ServedResult } from '../model/options.ts'
import { outputText } from '../model/output-text.ts'
import type { Runtime } from '../runtime.ts'
import { createConverter } from './ag-ui-events.ts'
import { readBody } from './body.ts'
import { type HeldRun, holdOptions, holdRun, TOO_MANY } from './held-run.ts'
import {
  type Exchange,
  type Handler,
  openEventStream,
  refuseMethod,
  requireReady,
  type Served,
  type ServeOptions,
  sendJson,
  serveHttp,
} from './http.ts'
import { readAgUiRequest } from './input.ts'

/** Serves an agent over AG-UI 1.0. */
export async function serveAgUi(runtime: Runtime, agent: Agent, options: ServeOptions = {}): Promise<Served> {
  const { handle, close } = await agUiHandler(runtime, agent, options)
  return serveHttp(handle, options, close)
}

/** Creates the request handler, for a server with several protocols. */
export async function agUiHandler(runtime: Runtime, agent: Agent, options: ServeOptions): Promise<Handler> {
  await requireReady(runtime, [agent], options)
  const host: AgUiHost = { runtime, agent, options, held: new Map() }
  return {
    async handle(exchange) {
      const { request, response, path } = exchange
      if (path !== '/') return sendJson(response, 404, { error: `not found: ${path}` })
      if (request.method !== 'POST') return refuseMethod(response, 'POST')
      const body = await readBody(request, options.maxBodyBytes)
      if (!body.ok) return sendJson(response, body.error.status, { error: body.error.message })
      const input = readRunAgentInput(body.value)
      if (!input.ok) return sendJson(response, 422, { error: input.error })
      await answer(host, input.value, exchange)
    },
    close() {
      for (const { controller } of host.held.values()) controller.abort(new Error('the server is stopping'))
    },
  }
}

interface AgUiHost {
  readonly runtime: Runtime
  readonly agent: Agent
  readonly options: ServeOptions
  /** Runs that wait for approval, by thread. */
  readonly held: Map<string, AgUiRun>
}

type Converter = ReturnType<typeof createConverter>

/** A run, which may span several requests. */
interface AgUiRun {
  readonly held: HeldRun<Result<ServedResult, RunError>>
  readonly controller: AbortController
  /** The current request's converter; undefined while the run waits for approval. */
  converter: Converter | undefined
  /** Events for the next request. */
  readonly missed: RunEvent[]
}

async function answer(host: AgUiHost, runInput: RunAgentInput, { response, signal }: Exchange): Promise<void> {
  const { threadId, runId } = runInput
  const { output } = host.agent.document.interface
  const stream = openEventStream(response)
  const converter = createConverter({ threadId, runId, output, send: stream.send })
  converter.start()
  const run = runOf(host, runInput, converter)
  if (!run.ok) {
    converter.fail({ code: 'input_validation', message: run.error })
    return stream.end()
  }
  const { held, controller } = run.value
  const removeListener = onAbort(signal, () => controller.abort(signal.reason))
  const stop = await held.next()
  removeListener()
  if ('asked' in stop) {
    run.value.converter = undefined
    host.held.set(threadId, run.value)
    converter.interrupt(stop.asked)
  } else finish(stop.ended, converter, output, runInput)
  stream.end()
}

function finish(
  outcome: Result<ServedResult, RunError>,
  converter: Converter,
  schema: InterfaceSchema,
  runInput: RunAgentInput,
): void {
  if (!outcome.ok) {
    converter.fail(outcome.error)
    return
  }
  const value = outcome.value.output ?? null
  // The state was parsed from JSON.
  const state: Value = runInput.state ?? null
  converter.finish(outcome.value, outputText(schema, value), stateEvents(schema, state, value))
}

/** Starts a run, or continues the thread's run with the client's answer. */
function runOf(host: AgUiHost, runInput: RunAgentInput, converter: Converter): Result<AgUiRun, string> {
  const { threadId, resume = [] } = runInput
  const [entry] = resume
  if (entry === undefined) return startRun(host, runInput, converter)
  const run = host.held.get(threadId)
  const answer = entry.payload
  const approved = entry.status === 'resolved' && (answer === true || own(answer, 'approved') === true)
  const reason = ownText(answer, 'reason') ?? (approved ? 'approved by the client' : 'denied by the client')
  if (run === undefined || !run.held.answer(entry.interruptId, { approved, reason }))
    return err(`unknown or expired interrupt ${JSON.stringify(entry.interruptId)}`)
  host.held.delete(threadId)
  run.converter = converter
  for (const event of run.missed.splice(0)) converter.convert(event)
  return ok(run)
}

function startRun(host: AgUiHost, runInput: RunAgentInput, converter: Converter): Result<AgUiRun, string> {
  const { runtime, agent, options, held } = host
  const request = readAgUiRequest(agent, runInput)
  if (!request.ok) return request
  // A new request on the thread replaces the waiting run.
  held.get(runInput.threadId)?.controller.abort(new Error('the client sent another request'))
  held.delete(runInput.threadId)
  const controller = new AbortController()
  const { memoryScope, stream } = options
  const missed: RunEvent[] = []
  const onEvent = (event: RunEvent) => {
    if (run.converter === undefined) missed.push(event)
    else run.converter.convert(event)
  }
  const served = { signal: controller.signal, onEvent, memoryScope, ...defined({ stream }) }
  const start = (approve: Approver) => {
    const mayAsk: Approver = (...args) => (held.size < runtimeLimits.heldRuns ? approve(...args) : TOO_MANY)
    const asking = options.approvals === 'client' ? { approve: mayAsk } : {}
    const ending = runtime.run(agent, request.value.input, { ...request.value.options, ...served, ...asking })
    return ending.finally(() => {
      if (held.get(runInput.threadId) === run) held.delete(runInput.threadId)
    })
  }
  const run: AgUiRun = { held: holdRun(start, holdOptions(options)), controller, converter, missed }
  return ok(run)
}

/** Parses the request. Unknown fields are accepted, as the protocol requires. */
function readRunAgentInput(body: Value): Result<RunAgentInput, string> {
  const read = RunAgentInputSchema.safeParse(body)
  // The type differs from the schema only in optional fields.
  if (read.success) return ok(read.data as RunAgentInput)
  const problems = read.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`)
  return err(`invalid RunAgentInput: ${problems.join('; ')}`)
}

/** Returns the events for a changed AG-UI state: the output property `state`, if the interface declares it. */
function stateEvents(schema: InterfaceSchema, before: Value, output: Value): AGUIEvent[] {
  const properties = own(schema, 'properties')
  if (!isRecord(properties) || own(properties, 'state') === undefined || !isRecord(output)) return []
  const after = own(output, 'state')
  if (after === undefined || deepEqual(before, after)) return []
  if (!isRecord(before) || !isRecord(after)) return [{ type: EventType.STATE_SNAPSHOT, snapshot: after }]
  return [{ type: EventType.STATE_DELTA, delta: patch(before, after) }]
}

/** Creates a JSON Patch (RFC 6902) of changed top-level fields. */
function patch(before: ValueRecord, after: ValueRecord): JsonPatchOperation[] {
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  const changed = Object.entries(after).flatMap(([key, value]): JsonPatchOperation[] => {
    const old = own(before, key)
    if (old === undefined) return [{ op: 'add', path: pointer(key), value }]
    return deepEqual(old, value) ? [] : [{ op: 'replace', path: pointer(key), value }]
  })
  return [...removed.map((key): JsonPatchOperation => ({ op: 'remove', path: pointer(key) })), ...changed]
}

function pointer(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
