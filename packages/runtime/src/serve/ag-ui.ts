/** An agent as an AG-UI endpoint: one POST per run, answered with a stream of events. */
import type { RunAgentInput } from '@ag-ui/core'
import { RunAgentInputSchema } from '@ag-ui/core/schemas'
import type { Agent } from '@joust/agentformat'
import { err, ok, type Result, type Value } from '@joust/source'
import type { RunOptions } from '../model/options.ts'
import type { Runtime } from '../runtime.ts'
import { createTeller } from './ag-ui-events.ts'
import { stateEvents } from './ag-ui-state.ts'
import { readBody } from './body.ts'
import { openEventStream } from './event-stream.ts'
import { type Exchange, refuseMethod, type Served, type ServeOptions, sendJson, serveHttp } from './http.ts'
import { readAgUiRequest } from './input.ts'
import { answersPlainly, outputText } from './output.ts'
import { requireReady } from './ready.ts'

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
  const teller = createTeller({ threadId, runId, plain: answersPlainly(output), send: stream.send })
  teller.start()
  const request = readAgUiRequest(agent, asked)
  if (!request.ok) {
    teller.fail({ code: 'input_validation', message: request.error })
    return stream.end()
  }
  const options: RunOptions = {
    ...request.value.options,
    signal,
    onEvent: teller.tell,
    ...(memoryScope === undefined ? {} : { memoryScope }),
  }
  const outcome = await runtime.run(agent, request.value.input, options)
  if (outcome.ok) {
    const value = outcome.value.output ?? null
    // The state came as JSON.
    const state: Value = asked.state ?? null
    teller.finish(outcome.value, outputText(output, value), stateEvents(output, state, value))
  } else teller.fail(outcome.error)
  stream.end()
}

/** Unknown fields are let through, as the protocol wants it. */
function readRunAgentInput(body: Value): Result<RunAgentInput, string> {
  const read = RunAgentInputSchema.safeParse(body)
  // What the schema lets through is the type; it only says more exactly what may be undefined.
  if (read.success) return ok(read.data as RunAgentInput)
  const problems = read.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`)
  return err(`the body is not a RunAgentInput: ${problems.join('; ')}`)
}
