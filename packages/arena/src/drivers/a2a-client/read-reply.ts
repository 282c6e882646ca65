/** Reads a response or the items of a stream, and passes them to the stage. */
import { within } from '@joust/io'
import { messageOf, own, ownList, ownText, type Value, writeJson } from '@joust/source'
import { type HttpAnswer, isSuccess } from '../../model/http.ts'
import { isEventStream, readEventStream } from '../../transport/event-stream.ts'
import type { DriverContext, Stage } from '../driver.ts'
import { type BodyText, readBody, recordMalformed } from '../http-body.ts'
import { type JsonRpcResponse, readMessage } from '../json-rpc.ts'
import { reportRejection } from '../rejections.ts'
import { agentFailure, answerFault, unanswered } from './answer-fault.ts'

interface Sent {
  readonly method: string
  readonly id: number
  /** The recorded request params; an empty object if absent. */
  readonly params: Value
  readonly signal: AbortSignal
  stop(): void
  answered(): void
}

export async function readReply(context: DriverContext, sent: Sent, answer: HttpAnswer): Promise<void> {
  const { stage } = context
  const { method, signal } = sent
  if (isEventStream(answer)) {
    reportRejection(stage.report, method, answer.status)
    return readStream(context, sent, answer)
  }
  const body = await readWhole(context, method, answer, signal)
  reportRejection(stage.report, method, answer.status, body?.text)
  if (body !== undefined) await takeItem(context, sent, body.text, body.fault, answer)
}

/** Reports an incomplete body. Returns undefined after a timeout or if no byte was received. */
export async function readWhole(
  { stage, clock, limits }: DriverContext,
  surface: string,
  answer: HttpAnswer,
  signal: AbortSignal,
): Promise<BodyText | undefined> {
  const work = readBody(answer.body, limits.messageBytes).then((body): BodyText | undefined => {
    if (body.broken === undefined) return body
    if (!signal.aborted) stage.report('connection-lost', `${surface}: ${body.broken.message}`)
    return body.text === '' || signal.aborted ? undefined : body
  })
  return within(clock, limits.replyMs, work, signal, () => {
    if (!signal.aborted) stage.report('reply-missing', `${surface}: timeout while reading the response`)
    return undefined
  })
}

/** Reads without a time limit until an item is marked as final; then the stream must end within the reply timeout. */
async function readStream(context: DriverContext, sent: Sent, answer: HttpAnswer): Promise<void> {
  const { stage, clock, limits } = context
  const { method, signal } = sent
  let cancel = () => {}
  let count = 0
  let open: string | undefined
  try {
    for await (const { data, fault } of readEventStream(answer.body, limits.messageBytes)) {
      if (signal.aborted) return
      // Fields without data are not an item.
      if (data === '' && fault === undefined) continue
      count += 1
      const item = await takeItem(context, sent, data, fault, answer)
      cancel()
      const isLast = own(item, 'kind') === 'status-update' && own(item, 'final') === true
      if (isLast) cancel = clock.setTimer(limits.replyMs, () => sent.stop())
      // An artifact has no task state.
      const isArtifact = ['artifact', 'artifactUpdate'].some((key) => own(item, key) !== undefined)
      if (!isArtifact) open = unanswered(item ?? null, pollsTasks(stage))
    }
    if (count === 0) stage.report('reply-missing', `${method}: the stream ended without events`)
    if (open !== undefined) stage.report('reply-missing', `${method}: ${open}`)
  } catch (thrown) {
    if (!signal.aborted) stage.report('connection-lost', `${method}: ${messageOf(thrown)}`)
  } finally {
    cancel()
  }
}

/** Passes one response to the stage. Returns its content; undefined if the response is malformed or an error. */
async function takeItem(
  { stage, limits }: DriverContext,
  sent: Sent,
  text: string,
  fault: string | undefined,
  { status, headers }: HttpAnswer,
): Promise<Value | undefined> {
  const { method, params } = sent
  const message = readMessage(text, limits.messageBytes, fault)
  if (message.kind !== 'response') {
    const reason = message.kind === 'malformed' ? message.reason : `expected a response, got a ${message.kind}`
    keepMalformed(stage, method, text, isSuccess(status) ? reason : `HTTP ${status}, ${reason}`)
    sent.answered()
    return undefined
  }
  const { content } = message
  reportFaults(stage, sent, message)
  const open = method === 'message/send' && !message.failed ? unanswered(content, pollsTasks(stage)) : undefined
  if (open !== undefined) stage.report('reply-missing', `${method}: ${open}`)
  const kind = message.failed ? undefined : own(content, 'kind')
  const also = kind === 'status-update' ? ['task/status'] : kind === 'artifact-update' ? ['task/artifact'] : []
  await stage.receive({ direction: 'response', surface: method, also, content, request: params, headers })
  sent.answered()
  return message.failed ? undefined : content
}

/** The content is recorded as evidence even if it has errors. */
function reportFaults(
  stage: Stage,
  { method, id, params }: Sent,
  { id: responseId, failed, content }: JsonRpcResponse,
): void {
  // The id is null if the agent could not read it.
  if (responseId !== id && !(failed && responseId === null))
    stage.report('answer-failed', `${method} was answered with id ${writeJson(responseId)}, expected ${id}`)
  const failure = agentFailure(content, failed)
  const fault = answerFault(method, content, failed, params)
  if (failure !== undefined) stage.report('agent-failed', failure)
  else if (fault !== undefined) stage.report('answer-failed', `${method} was answered ${fault}`)
}

export function keepMalformed(stage: Stage, surface: string, text: string, reason: string): void {
  recordMalformed(stage, { direction: 'response', surface }, text, reason, `${surface}: malformed response: ${reason}`)
}

function pollsTasks(stage: Stage): boolean {
  return ownList(stage.scene().state, 'actions').some((action) => ownText(action, 'method')?.startsWith('tasks/'))
}
