/** Passes messages from a peer over any transport to the stage, and responds to them. */
import { defined, isRecord, memberText, own, ownText, type Value, type ValueRecord, writeJson } from '@joust/source'
import type { RealListener } from '../../model/through.ts'
import type { DriverContext, Scene, Stage } from '../driver.ts'
import { recordMalformed } from '../http-body.ts'
import {
  contentOf,
  failure,
  type JsonRpcBatch,
  type JsonRpcMalformed,
  type JsonRpcMessage,
  type JsonRpcRequest,
  jsonRpcCodes,
  messagesOf,
  writeAnswer,
} from '../json-rpc.ts'
import { isNotification } from '../mcp/protocol.ts'
import { createTasks, type TaskRequest, type Tasks, takesTasks } from '../mcp/tasks.ts'
import { type Call, type CallAnswer, type PriorMessage, serverIdentity, unknownMethod } from './call.ts'
import { findDefinition } from './definitions.ts'
import { envelopeFault, isModern, modernStatus } from './envelope.ts'
import { methods } from './methods/table.ts'
import { isUnwantedLog, respondModern } from './modern.ts'
import { type Deliveries, type Exchange, notification, reportUndelivered } from './outgoing.ts'
import type { Questions } from './questions.ts'
import { createRounds, type Rounds } from './rounds.ts'
import { needsSubscription } from './subscriptions.ts'
import { createTaskExtension, type TaskExtension } from './task-extension.ts'

/** Resolves when the message or batch has been handled. Never rejects. */
export type Conversation = (incoming: JsonRpcMessage | JsonRpcBatch, exchange: Exchange) => Promise<void>

export type Announce = (method: string, params: Value | undefined, scene: Scene, delivered?: () => void) => void

/** One conversation serves all peers of an actor. */
export function createConversation(
  context: DriverContext,
  questions: Questions,
  deliveries: Deliveries,
  announce: Announce,
  ask: RealListener['asked'],
): Conversation {
  const parts: AnswerParts = {
    context,
    questions,
    deliveries,
    announce,
    rounds: createRounds(context),
    tasks: createTasks(context.newId, () => context.clock.now()),
    extension: createTaskExtension(context),
    unanswered: new Map(),
  }
  context.real?.hear({
    notified(method, params) {
      if (method === CANCELLED) return
      const scene = context.stage.scene()
      if (method !== PROGRESS) return announce(method, params, scene)
      const token = writeJson(own(params, 'progressToken') ?? null)
      const request = [...parts.unanswered.values()].find((one) => one.token === token)
      request?.exchange.push(notification(context.stage, scene, method, params))
    },
    asked: ask,
  })
  return async (incoming, exchange) => {
    await Promise.all(messagesOf(incoming).map((item) => take(parts, item, exchange)))
  }
}

async function take(parts: AnswerParts, message: JsonRpcMessage, exchange: Exchange): Promise<void> {
  if (message.kind === 'request') return answerRequest(parts, message, exchange)
  if (message.kind === 'malformed') return refuse(parts, message, exchange)
  if (message.kind === 'response') {
    await parts.questions.settle(message, exchange.session)
    return exchange.accept()
  }
  const { stage } = parts.context
  const { method: surface, params: content } = message
  const { session, headers } = exchange
  const accept = async () => exchange.accept()
  const cancelled = surface === CANCELLED ? parts.unanswered.get(keyOf(session, own(content, 'requestId'))) : undefined
  // A client ignores the response to a cancelled request, even one already sent.
  if (cancelled !== undefined)
    stage.report('answer-undelivered', `the agent cancelled ${cancelled.method} before the response arrived`)
  cancelled?.cancel.abort()
  await stage.receive({ direction: 'request', surface, content, session, headers }, accept)
}

function refuse({ context: { stage } }: AnswerParts, message: JsonRpcMalformed, exchange: Exchange): void {
  const { text, reason, code, id } = message
  const scene = stage.scene()
  const { session } = exchange
  recordMalformed(stage, { direction: 'request', session }, text, reason)
  const content = { code, message: reason }
  const sent = () => stage.record(scene, { direction: 'response', flow: 'out', surface: '', content, session })
  const what = 'the error response to a malformed message'
  exchange.refuse({ text: writeAnswer(id, { error: content }), what, sent })
}

interface AnswerParts {
  readonly context: DriverContext
  readonly questions: Questions
  readonly deliveries: Deliveries
  readonly announce: Announce
  readonly rounds: Rounds
  readonly tasks: Tasks
  readonly extension: TaskExtension
  readonly unanswered: Map<string, UnansweredRequest>
}

interface UnansweredRequest {
  readonly method: string
  readonly exchange: Exchange
  readonly token: string
  readonly cancel: AbortController
}

const CANCELLED = 'notifications/cancelled'
const PROGRESS = 'notifications/progress'

function keyOf(session: string | undefined, id: Value | undefined): string {
  return `${session ?? ''} ${writeJson(id ?? null)}`
}

async function answerRequest(parts: AnswerParts, request: JsonRpcRequest, exchange: Exchange): Promise<void> {
  const { stage } = parts.context
  const { method: surface, params: content } = request
  const delivered = parts.deliveries.expectAnswer(surface)
  parts.questions.hear(request, exchange.session)
  const key = keyOf(exchange.session, request.id)
  const token = writeJson(own(own(content, '_meta'), 'progressToken') ?? null)
  const unanswered = { method: surface, exchange, token, cancel: new AbortController() }
  parts.unanswered.set(key, unanswered)
  let answered = false
  const { session, headers } = exchange
  await stage.receive({ direction: 'request', surface, content, session, headers }, async (scene) => {
    const { answer, status } = await respond(parts, request, scene, unanswered)
    answered = true
    send(stage, request, answer, scene, exchange, delivered, status)
  })
  parts.unanswered.delete(key)
  // The peer gets a response even after a failure here.
  if (answered) return
  send(stage, request, failure(jsonRpcCodes.internalError, 'Internal error'), stage.scene(), exchange, delivered)
}

async function respond(
  parts: AnswerParts,
  request: JsonRpcRequest,
  scene: Scene,
  { exchange, cancel: { signal: cancel } }: UnansweredRequest,
): Promise<{ readonly answer: CallAnswer; readonly status?: number }> {
  const { stage, newId, mcpVersion, real: side } = parts.context
  const { session, headers } = exchange
  const state = isRecord(scene.state) ? scene.state : {}
  const modern = isModern(own(state, 'protocol_version') ?? mcpVersion, { ...request, headers })
  const call: Call = {
    ...request,
    params: stage.withHeaders(request.params, headers),
    scene,
    state,
    stage,
    newId,
    mcpVersion,
    real: side && { side, request: { ...request, json: memberText(request.text, 'params') ?? '{}', cancel } },
    fill: (value, response) => stage.fill(value, call.params, response),
    async interlude(interludes) {
      if (!modern) return void (await play(parts, interludes, scene, exchange))
      const requests = interludes.filter(({ method }) => !isNotification(method))
      const unfinished = requests.length > 0 ? await parts.rounds.ask(call, requests, session) : undefined
      if (unfinished === undefined) await playModern(parts, call, interludes, exchange)
      return unfinished
    },
  }
  if (!modern) return { answer: await respondWithTasks(parts.tasks, call) }
  const fault = envelopeFault({ ...request, headers }, calledTool(call))
  if (fault !== undefined) {
    stage.report('message-malformed', `${request.method} was rejected: ${ownText(contentOf(fault), 'message')}`)
    return { answer: fault, status: 400 }
  }
  await parts.rounds.hear(call, session)
  const answer =
    (await parts.extension.answer(call, session)) ??
    (await parts.extension.create(call, calledTool(call), respondModern)) ??
    (await respondModern(call))
  if (answer === 'open') return { answer }
  if ('result' in answer) parts.rounds.keep(call, answer.result, session)
  return { answer, status: modernStatus(answer) }
}

function calledTool(call: Call): ValueRecord | undefined {
  if (call.method !== 'tools/call') return undefined
  return findDefinition(call, 'tools', 'name', own(call.params, 'name'))?.value
}

/** Sends the notifications with the response or over subscriptions. */
async function playModern(
  parts: AnswerParts,
  { params: asked, scene, stage }: Call,
  interludes: readonly PriorMessage[],
  exchange: Exchange,
): Promise<void> {
  for (const interlude of interludes) {
    const { method, params } = interlude
    if (!isNotification(method)) continue
    if (needsSubscription(method)) parts.announce(method, params(), scene)
    else if (!stage.verbatim && isUnwantedLog(method, asked))
      stage.report('not-delivered', `${method}: the request does not set a log level`)
    else await play(parts, [interlude], scene, exchange)
  }
}

async function respondWithTasks(tasks: Tasks, call: Call): Promise<CallAnswer> {
  const request = { ...call, capabilities: serverIdentity(call).capabilities }
  const about = tasks.answer(request) ?? refuseTask(call, request)
  if (about !== undefined) return about
  const answer = await (methods.get(call.method) ?? unknownMethod)(call)
  return answer === 'open' ? answer : tasks.keep(request, answer)
}

/** `taskSupport` is optional, required or forbidden (the default). */
function refuseTask(call: Call, request: TaskRequest): CallAnswer | undefined {
  if (call.method !== 'tools/call' || !takesTasks(request)) return undefined
  const tool = calledTool(call)
  const support = own(own(tool, 'execution'), 'taskSupport')
  const isTask = isRecord(own(call.params, 'task'))
  if (tool === undefined || support === 'optional' || isTask === (support === 'required')) return undefined
  return failure(jsonRpcCodes.methodNotFound, `The tool ${isTask ? 'cannot' : 'must'} be called as a task`)
}

async function play(
  { context: { stage }, questions }: AnswerParts,
  interludes: readonly PriorMessage[],
  scene: Scene,
  exchange: Exchange,
): Promise<void> {
  for (const { method, params: make } of interludes) {
    const params = make()
    if (params === undefined) continue
    const question = isNotification(method) ? undefined : questions.ask(method, params, scene)
    if (!exchange.push(question?.message ?? notification(stage, scene, method, params))) {
      stage.report('not-delivered', `${method}: the peer does not accept messages before the response`)
      question?.drop()
    }
    // Start the timeout now, since a disconnected peer may never receive the message.
    question?.begin(exchange.session)
    await question?.answered
  }
}

/** Params that identify the subject of a request; responses may arrive in a different order than requests. */
const named: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
])

function send(
  stage: Stage,
  { id, method, params }: JsonRpcRequest,
  answer: CallAnswer,
  scene: Scene,
  exchange: Exchange,
  delivered: () => void,
  status?: number,
): void {
  if (answer === 'open') {
    delivered()
    exchange.keep({ id, filter: own(params, 'notifications') ?? {} })
    return
  }
  const succeeded = 'result' in answer
  const content = contentOf(answer)
  const about = defined({ about: ownText(params, named.get(method) ?? '') })
  const sent = (session: string | undefined) => {
    delivered()
    stage.record(scene, { direction: 'response', flow: 'out', surface: method, content, session, ...about })
  }
  const text = writeAnswer(id, answer)
  const lost = () => reportUndelivered(stage, method)
  const what = `the response to ${method}`
  exchange.answer({ text, what, sent, lost, ...(status !== undefined && { status }) }, succeeded)
}
