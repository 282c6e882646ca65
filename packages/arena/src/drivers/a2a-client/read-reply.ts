/** What an agent answers, handed to the stage: one answer, or the items of a stream. */
import { within } from '@joust/io'
import { messageOf, own, ownList, ownText, type Value, writeJson } from '@joust/source'
import { type HttpAnswer, isSuccess } from '../../model/http.ts'
import { isEventStream, readEventStream } from '../../transport/event-stream.ts'
import type { DriverContext, Stage } from '../driver.ts'
import { type BodyText, readBody, recordMalformed } from '../http-body.ts'
import { type JsonRpcResponse, readMessage } from '../json-rpc.ts'
import { reportTurnedAway } from '../turned-away.ts'
import { agentFailure, answerFault, unanswered } from './answer-fault.ts'

interface Sent {
  readonly method: string
  readonly id: number
  /** As recorded: an empty object where there were none. */
  readonly params: Value
  /** Fires when nothing more is to be read. */
  readonly signal: AbortSignal
  stop(): void
  /** Called when the first answer has arrived. */
  answered(): void
}

/** Hands the answer to a request to the stage. Never rejects. */
export async function readReply(context: DriverContext, sent: Sent, answer: HttpAnswer): Promise<void> {
  const { stage } = context
  const { method, signal } = sent
  if (isEventStream(answer)) {
    reportTurnedAway(stage.report, method, answer.status)
    return readStream(context, sent, answer)
  }
  const body = await readWhole(context, method, answer, signal)
  reportTurnedAway(stage.report, method, answer.status, body?.text)
  if (body !== undefined) await takeItem(context, sent, body.text, body.fault, answer.status)
}

/** The whole body within a time limit, as far as it came; undefined when nothing did. What is missing is reported. */
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
    if (!signal.aborted) stage.report('reply-missing', `${surface}: the answer did not end in time`)
    return undefined
  })
}

/** Has no time limit until an item says that it is the last: then the peer has as long to end as to answer. */
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
      const item = await takeItem(context, sent, data, fault, answer.status)
      cancel()
      if (isLast(item)) cancel = clock.setTimer(limits.replyMs, () => sent.stop())
      if (!isArtifact(item)) open = unanswered(item ?? null, asksAgain(stage))
    }
    if (count === 0) stage.report('reply-missing', `${method}: the stream ended without an item`)
    if (open !== undefined) stage.report('reply-missing', `${method}: ${open}`)
  } catch (thrown) {
    if (!signal.aborted) stage.report('connection-lost', `${method}: ${messageOf(thrown)}`)
  } finally {
    cancel()
  }
}

/** Whether an item says that nothing more will come. */
function isLast(item: Value | undefined): boolean {
  return own(item, 'kind') === 'status-update' && own(item, 'final') === true
}

/** An artifact says nothing about the state of its task. */
function isArtifact(item: Value | undefined): boolean {
  return ['artifact', 'artifactUpdate'].some((key) => own(item, key) !== undefined)
}

/** One answer; undefined when it is not one. */
async function takeItem(
  { stage, limits }: DriverContext,
  sent: Sent,
  text: string,
  fault: string | undefined,
  status: number,
): Promise<Value | undefined> {
  const { method, params } = sent
  const message = readMessage(text, limits.messageBytes, fault)
  if (message.kind !== 'response') {
    const reason = message.kind === 'malformed' ? message.reason : `a ${message.kind} where an answer was due`
    keepMalformed(stage, method, text, isSuccess(status) ? reason : `HTTP ${status}, ${reason}`)
    sent.answered()
    return undefined
  }
  const { content } = message
  reportFaults(stage, sent, message)
  const open = method === 'message/send' && !message.failed ? unanswered(content, asksAgain(stage)) : undefined
  if (open !== undefined) stage.report('reply-missing', `${method}: ${open}`)
  const kind = message.failed ? undefined : own(content, 'kind')
  const also = kind === 'status-update' ? ['task/status'] : kind === 'artifact-update' ? ['task/artifact'] : []
  await stage.receive({ direction: 'response', surface: method, also, content, request: params })
  sent.answered()
  return message.failed ? undefined : content
}

/** Reports why an answer shows nothing about the agent; its content is evidence anyway. */
function reportFaults(
  stage: Stage,
  { method, id, params }: Sent,
  { id: given, failed, content }: JsonRpcResponse,
): void {
  // An agent that could not read the id of a request names none.
  if (given !== id && !(failed && given === null))
    stage.report('answer-failed', `${method} was answered with the id ${writeJson(given)}, not ${id}`)
  const failure = agentFailure(content, failed)
  const fault = answerFault(method, content, failed, params)
  if (failure !== undefined) stage.report('agent-failed', failure)
  else if (fault !== undefined) stage.report('answer-failed', `${method} was answered ${fault}`)
}

/** Keeps an answer that could not be read. */
export function keepMalformed(stage: Stage, surface: string, text: string, reason: string): void {
  const told = `${surface}: the answer could not be read: ${reason}`
  recordMalformed(stage, { direction: 'response', surface }, text, reason, told)
}

/** Whether the phase goes on to ask about tasks. */
function asksAgain(stage: Stage): boolean {
  return ownList(stage.scene().state, 'actions').some((action) => ownText(action, 'method')?.startsWith('tasks/'))
}
