/** An agent as an AG-UI endpoint: one POST per run, answered with a stream of events. */
import { type AGUIEvent, EventType, type JsonPatchOperation, type RunAgentInput } from '@ag-ui/core'
import { RunAgentInputSchema } from '@ag-ui/core/schemas'
import type { Agent, InterfaceSchema } from '@joust/agentformat'
import { deepEqual, err, isRecord, ok, own, type Result, type Value, type ValueRecord } from '@joust/source'
import { isStructured } from '../react/output.ts'
import type { Runtime } from '../runtime.ts'
import { createTeller } from './ag-ui-events.ts'
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

/** Serves an agent over AG-UI 1.0. */
export async function serveAgUi(runtime: Runtime, agent: Agent, options: ServeOptions = {}): Promise<Served> {
  await requireReady(runtime, [agent], options)
  return serveHttp(async (exchange) => {
    const { request, response, path } = exchange
    if (path !== '/') return sendJson(response, 404, { error: `there is nothing at ${path}` })
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
  asked: RunAgentInput,
  { response, signal }: Exchange,
  { memoryScope }: ServeOptions,
): Promise<void> {
  const { threadId, runId } = asked
  const { output } = agent.document.interface
  const stream = openEventStream(response)
  // Otherwise the model answers with JSON that people should not see, and `outputText` renders it.
  const plain = !isStructured(output)
  const teller = createTeller({ threadId, runId, plain, send: stream.send })
  teller.start()
  const request = readAgUiRequest(agent, asked)
  if (!request.ok) {
    teller.fail({ code: 'input_validation', message: request.error })
    return stream.end()
  }
  const options = { ...request.value.options, signal, onEvent: teller.tell, memoryScope }
  const outcome = await runtime.run(agent, request.value.input, options)
  if (outcome.ok) {
    const value = outcome.value.output ?? null
    // The state came as JSON.
    const state: Value = asked.state ?? null
    teller.finish(outcome.value, outputText(output, value), stateEvents(output, state, value))
  } else teller.fail(outcome.error)
  stream.end()
}

/** Unknown fields are accepted, as the protocol demands. */
function readRunAgentInput(body: Value): Result<RunAgentInput, string> {
  const read = RunAgentInputSchema.safeParse(body)
  // What the schema accepts is the type, which is only more exact about what may be undefined.
  if (read.success) return ok(read.data as RunAgentInput)
  const problems = read.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`)
  return err(`the body is not a RunAgentInput: ${problems.join('; ')}`)
}

// Changes of AG-UI's state. An agent has nothing but its output, so its new state is the property `state` that its
// interface declares.

/** The events that tell how the state changed; none when it did not. */
function stateEvents(schema: InterfaceSchema, before: Value, output: Value): AGUIEvent[] {
  const properties = own(schema, 'properties')
  if (!isRecord(properties) || own(properties, 'state') === undefined || !isRecord(output)) return []
  const after = own(output, 'state')
  if (after === undefined || deepEqual(before, after)) return []
  if (!isRecord(before) || !isRecord(after)) return [{ type: EventType.STATE_SNAPSHOT, snapshot: after }]
  return [{ type: EventType.STATE_DELTA, delta: patch(before, after) }]
}

/** A JSON Patch (RFC 6902) of the top level. */
function patch(before: ValueRecord, after: ValueRecord): JsonPatchOperation[] {
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  const changed = Object.entries(after).flatMap(([key, value]): JsonPatchOperation[] => {
    const old = own(before, key)
    if (old === undefined) return [{ op: 'add', path: pointer(key), value }]
    return deepEqual(old, value) ? [] : [{ op: 'replace', path: pointer(key), value }]
  })
  return [...gone.map((key): JsonPatchOperation => ({ op: 'remove', path: pointer(key) })), ...changed]
}

function pointer(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
