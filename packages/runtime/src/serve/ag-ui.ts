/** Serves an agent over AG-UI: one POST per run, answered with an event stream. */
import { type AGUIEvent, EventType, type JsonPatchOperation, type RunAgentInput } from '@ag-ui/core'
import { RunAgentInputSchema } from '@ag-ui/core/schemas'
import type { Agent, InterfaceSchema } from '@joust/agentformat'
import { deepEqual, defined, err, isRecord, ok, own, type Result, type Value, type ValueRecord } from '@joust/source'
import { isStructured } from '../react/output.ts'
import type { Runtime } from '../runtime.ts'
import { createConverter } from './ag-ui-events.ts'
import { readBody } from './body.ts'
import {
  type Exchange,
  openEventStream,
  refuseMethod,
  requireReady,
  type Served,
  type ServeOptions,
  sendJson,
  serveHttp,
} from './http.ts'
import { readAgUiRequest } from './input.ts'
import { outputText } from './text.ts'

/**
 * Serves an agent over AG-UI 1.0.
 *
 * @example
 * const { url, close } = await serveAgUi(createRuntime(), loadedAgent.agent, { port: 8000 })
 */
export async function serveAgUi(runtime: Runtime, agent: Agent, options: ServeOptions = {}): Promise<Served> {
  await requireReady(runtime, [agent], options)
  return serveHttp(async (exchange) => {
    const { request, response, path } = exchange
    if (path !== '/') return sendJson(response, 404, { error: `not found: ${path}` })
    if (request.method !== 'POST') return refuseMethod(response, 'POST')
    const body = await readBody(request, options.maxBodyBytes)
    if (!body.ok) return sendJson(response, body.error.status, { error: body.error.message })
    const input = readRunAgentInput(body.value)
    if (!input.ok) return sendJson(response, 422, { error: input.error })
    await answer(runtime, agent, input.value, exchange, options)
  }, options)
}

async function answer(
  runtime: Runtime,
  agent: Agent,
  runInput: RunAgentInput,
  { response, signal }: Exchange,
  { memoryScope, stream: isStreamed }: ServeOptions,
): Promise<void> {
  const { threadId, runId } = runInput
  const { output } = agent.document.interface
  const stream = openEventStream(response)
  // Structured answers are JSON, which `outputText` renders at the end.
  const plain = !isStructured(output)
  const converter = createConverter({ threadId, runId, plain, send: stream.send })
  converter.start()
  const request = readAgUiRequest(agent, runInput)
  if (!request.ok) {
    converter.fail({ code: 'input_validation', message: request.error })
    return stream.end()
  }
  const host = { signal, onEvent: converter.convert, memoryScope, ...defined({ stream: isStreamed }) }
  const options = { ...request.value.options, ...host }
  const outcome = await runtime.run(agent, request.value.input, options)
  if (outcome.ok) {
    const value = outcome.value.output ?? null
    // The state came as JSON.
    const state: Value = runInput.state ?? null
    converter.finish(outcome.value, outputText(output, value), stateEvents(output, state, value))
  } else converter.fail(outcome.error)
  stream.end()
}

/** Reads the request. Unknown fields are accepted, as the protocol requires. */
function readRunAgentInput(body: Value): Result<RunAgentInput, string> {
  const read = RunAgentInputSchema.safeParse(body)
  // The type differs from the schema only in optional fields.
  if (read.success) return ok(read.data as RunAgentInput)
  const problems = read.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`)
  return err(`invalid RunAgentInput: ${problems.join('; ')}`)
}

// The new AG-UI state is the property `state` of the output, if the interface declares it.

/** Returns the events for a changed state. */
function stateEvents(schema: InterfaceSchema, before: Value, output: Value): AGUIEvent[] {
  const properties = own(schema, 'properties')
  if (!isRecord(properties) || own(properties, 'state') === undefined || !isRecord(output)) return []
  const after = own(output, 'state')
  if (after === undefined || deepEqual(before, after)) return []
  if (!isRecord(before) || !isRecord(after)) return [{ type: EventType.STATE_SNAPSHOT, snapshot: after }]
  return [{ type: EventType.STATE_DELTA, delta: patch(before, after) }]
}

/** Creates a JSON Patch (RFC 6902) of the top level. */
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
