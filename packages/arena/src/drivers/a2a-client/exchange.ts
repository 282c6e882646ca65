/** Requests of a client and what they bring. */
import type { Value } from '@joust/source'
import type { HttpSend } from '../../model/http.ts'
import type { DriverContext, Scene } from '../driver.ts'
import { readValue, writeRequest } from '../json-rpc.ts'
import { callPeer } from './call.ts'
import type { Endpoint } from './endpoint.ts'
import { readReply, readWhole, recordMalformed, reportTurnedAway } from './read-reply.ts'

/** The methods that are answered by a stream of items. */
const streamingMethods: ReadonlySet<string> = new Set(['message/stream', 'tasks/resubscribe'])

/** The agent at the other end. */
export interface Peer {
  readonly context: DriverContext
  readonly endpoint: Endpoint
  readonly send: HttpSend
  /** What the caller gave for the agent: may hold its secrets, so no other host gets them. */
  readonly headers: Readonly<Record<string, string>>
  /** Fires when the driver closes or the run ends. */
  readonly over: AbortSignal
  readonly nextId: () => number
}

/**
 * Fetches the card, and takes note of the place it names. Resolves once that is known; `taken` does when the stage has the
 * card, which during entry actions is later. Rejects when the agent cannot be reached. `isAction`: the document asks for it.
 */
export async function fetchCard(
  peer: Peer,
  scene: Scene,
  params: Value = {},
  isAction = false,
): Promise<{ readonly taken: Promise<void> }> {
  const { stage } = peer.context
  const surface = 'agent_card/get'
  stage.record(scene, { direction: 'request', flow: 'out', surface, content: params })
  const card = await getCard(peer, surface, isAction)
  peer.endpoint.learn(card)
  if (card === undefined) return { taken: Promise.resolve() }
  return { taken: stage.receive({ direction: 'response', surface, content: card, request: params }) }
}

/** The card; undefined when there is none to be had, which is reported. */
async function getCard(peer: Peer, surface: string, isAction: boolean): Promise<Value | undefined> {
  const { context, endpoint, send, headers, over } = peer
  const { stage, limits } = context
  const stopping = new AbortController()
  const signal = AbortSignal.any([over, stopping.signal])
  const call = { method: 'GET', url: endpoint.cardUrl, headers: { accept: 'application/json', ...headers }, signal }
  const answer = await callPeer(context, send, call, surface)
  const body = answer === undefined ? undefined : await readWhole(context, surface, answer, signal)
  // Whatever is left of the answer is not read any more; the same below.
  stopping.abort()
  if (answer === undefined || body === undefined) return undefined
  // A client that looks for a card by itself can go on without one.
  if (isAction) reportTurnedAway(stage, surface, answer.status, body.text)
  const refused = answer.status < 200 || answer.status > 299 ? `HTTP ${answer.status}` : undefined
  const card = readValue(body.text, limits.messageBytes, refused ?? body.fault)
  if (card.ok) return card.value
  recordMalformed(stage, surface, body.text, card.error.reason)
  return undefined
}

/** Sends a request and takes everything that answers it to the stage. Rejects when the agent cannot be reached. */
export async function exchange(
  peer: Peer,
  scene: Scene,
  method: string,
  params: Value | undefined,
  answered = () => {},
): Promise<void> {
  const { context, endpoint, send, over } = peer
  const stopping = new AbortController()
  const signal = AbortSignal.any([over, stopping.signal])
  const id = peer.nextId()
  const headers = {
    'content-type': 'application/json',
    accept: streamingMethods.has(method) ? 'text/event-stream' : 'application/json',
    ...(endpoint.isElsewhere() ? {} : peer.headers),
  }
  const body = writeRequest(id, method, params)
  context.stage.record(scene, { direction: 'request', flow: 'out', surface: method, content: params ?? {} })
  const answer = await callPeer(context, send, { method: 'POST', url: endpoint.url(), headers, body, signal }, method)
  if (answer === undefined) return
  const stop = () => stopping.abort()
  await readReply(context, { method, id, params: params ?? {}, signal, stop, answered }, answer)
  stop()
}
