/** Requests from a client and the responses to them. */
import { within } from '@joust/io'
import type { Held } from '@joust/results'
import type { Result, Value } from '@joust/source'
import { toArenaError } from '../../model/errors.ts'
import { type HttpAnswer, type HttpCall, type HttpSend, isSuccess } from '../../model/http.ts'
import { CARD_METHOD as CARD } from '../a2a/endpoints.ts'
import type { DriverContext, Entry, Scene } from '../driver.ts'
import { type JsonRpcMalformed, readValue, writeRequest } from '../json-rpc.ts'
import { reportRejection } from '../rejections.ts'
import { settled, withRetries } from '../retries.ts'
import { type WrittenHeaders, withWritten, writtenHeaders } from '../written-headers.ts'
import { answerFault } from './answer-fault.ts'
import type { Endpoint } from './endpoint.ts'
import { keepMalformed, readReply, readWhole } from './read-reply.ts'

const streamingMethods: ReadonlySet<string> = new Set(['message/stream', 'tasks/resubscribe'])

export interface Peer {
  readonly context: DriverContext
  readonly endpoint: Endpoint
  readonly send: HttpSend
  /** Headers for the configured host only; they may contain secrets. */
  readonly headers: Readonly<Record<string, string>>
  /** Fires when the driver closes or the run ends. */
  readonly over: AbortSignal
  readonly nextId: () => number
}

/**
 * Fetches the agent card for an action of the document ([OATF
 * §7.2.5](https://oatf.io/specification/protocol-bindings/a2a/)). Rejects if the agent is unreachable.
 */
export async function fetchCard(peer: Peer, scene: Scene, { params = {}, headers }: Entry): Promise<void> {
  const { stage } = peer.context
  const held = stage.send(scene, { direction: 'request', flow: 'out', surface: CARD, content: params })
  const response = await getCard(peer, [held], writtenHeaders(stage, scene, headers))
  if (response !== undefined) reportRejection(stage.report, CARD, response.status, response.text)
  if (response?.card.ok !== true) {
    peer.endpoint.learn()
    if (response !== undefined) keepMalformed(stage, CARD, response.text, response.card.error.reason)
    return
  }
  const content = response.card.value
  peer.endpoint.learn(content)
  const fault = answerFault(CARD, content, false)
  if (fault !== undefined) stage.report('answer-failed', `${CARD} was answered ${fault}`)
  await stage.receive({ direction: 'response', surface: CARD, content, request: params, headers: response.headers })
}

/** Fetches the agent card for its endpoint, unrecorded and uncounted. Rejects if the agent is unreachable. */
export async function lookUpCard(peer: Peer): Promise<void> {
  const card = (await getCard(peer))?.card
  if (card?.ok === false)
    peer.context.stage.report('message-malformed', `${CARD}: malformed response: ${card.error.reason}`)
  peer.endpoint.learn(card?.ok ? card.value : undefined)
}

interface AnsweredCard extends Omit<HttpAnswer, 'body'> {
  readonly text: string
  readonly card: Result<Value, JsonRpcMalformed>
}

/** Returns undefined if there is no response, which is reported. */
async function getCard(
  peer: Peer,
  held: readonly Held[] = [],
  written: WrittenHeaders = {},
): Promise<AnsweredCard | undefined> {
  const { context, endpoint, send, headers, over } = peer
  const stopping = new AbortController()
  const signal = AbortSignal.any([over, stopping.signal])
  const all = withWritten({ accept: 'application/json', ...headers }, written)
  const call = { method: 'GET', url: endpoint.cardUrl, headers: all, signal }
  const answer = await callPeer(context, send, call, CARD, held)
  const body = answer === undefined ? undefined : await readWhole(context, CARD, answer, signal)
  // Ends the connection, since the rest of the response is not read; likewise below.
  stopping.abort()
  if (answer === undefined || body === undefined) return undefined
  const { status, headers: received } = answer
  const { text, fault } = body
  const refused = isSuccess(status) ? fault : `HTTP ${status}`
  return { status, headers: received, text, card: readValue(text, context.limits.messageBytes, refused) }
}

/** Sends a request and passes its responses to the stage. Rejects if the agent is unreachable. */
export async function exchange(
  peer: Peer,
  scene: Scene,
  { method, params, headers: action }: Entry,
  answered = () => {},
): Promise<void> {
  const { context, endpoint, send, over } = peer
  const stopping = new AbortController()
  const signal = AbortSignal.any([over, stopping.signal])
  const id = peer.nextId()
  const own = {
    'content-type': 'application/json',
    accept: streamingMethods.has(method) ? 'text/event-stream' : 'application/json',
    ...(endpoint.isElsewhere() ? {} : peer.headers),
  }
  const headers = withWritten(own, writtenHeaders(context.stage, scene, action))
  const body = writeRequest(id, method, params)
  const message = { direction: 'request', flow: 'out', surface: method, content: params ?? {} } as const
  const held = [context.stage.send(scene, message)]
  const call = { method: 'POST', url: endpoint.url(), headers, body, signal }
  const answer = await callPeer(context, send, call, method, held)
  if (answer === undefined) return
  const stop = () => stopping.abort()
  await readReply(context, { method, id, params: params ?? {}, signal, stop, answered }, answer)
  stop()
}

/**
 * Sends a request, with retries for a refused connection. Returns undefined after an abort, a timeout or a lost
 * connection; the latter two are reported. Rejects with an `ArenaError` if the peer is unreachable.
 */
async function callPeer(
  context: DriverContext,
  send: HttpSend,
  call: HttpCall,
  surface: string,
  held: readonly Held[] = [],
): Promise<HttpAnswer | undefined> {
  const { stage, clock, limits } = context
  const late = new AbortController()
  const signal = AbortSignal.any([call.signal, late.signal])
  const sent = withRetries({ ...context, report: stage.report }, signal, () => send({ ...call, signal }))
  const answer = settled(held, sent)
  try {
    return await within(clock, limits.replyMs, answer, call.signal, () => {
      if (!call.signal.aborted)
        stage.report('reply-missing', `${surface}: no response within ${limits.replyMs / 1000} s`)
      late.abort()
      return undefined
    })
  } catch (thrown) {
    if (call.signal.aborted) return undefined
    const error = toArenaError('connection_lost', surface, thrown)
    if (error.code === 'connect_failed') throw error
    stage.report('connection-lost', `${surface}: ${error.message}`)
    return undefined
  }
}
