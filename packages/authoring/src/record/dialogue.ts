/** Recognizes JSON-RPC messages between an agent and one peer, and finds the request of each response. */
import { forgetOldest } from '@joust/arena'
import { type JsonRpcMessage, messagesOf, olderRequest, olderResponse, readMessage } from '@joust/arena/wire'
import { own, ownText, type Value, writeJson } from '@joust/source'
import { recordLimits } from './limits.ts'
import type { RecordedMessage, Tape } from './tape.ts'

/** A recorded peer, as a trace actor: a server that the agent uses, or a client that uses the agent. */
export interface Peer {
  readonly name: string
  readonly mode: 'mcp_server' | 'a2a_server' | 'mcp_client' | 'a2a_client' | 'ag_ui_client'
}

/** The side that opened the connection (caller), or the side that accepted it. */
export type Side = 'caller' | 'callee'

/** The connection of a message. A response may arrive in another exchange of the same session. */
export interface Place {
  readonly exchange: string
  readonly session?: string | undefined
}

interface OpenRequest {
  readonly method: string
  readonly params: Value
  readonly id: Value
  /** True for an A2A 1.0 request. Its messages are recorded in the 0.3 format, which documents use. */
  readonly isModern: boolean
}

export interface Dialogue {
  /** Records the messages in a text. `fault` is the transport error, if any. */
  take(side: Side, text: string, place: Place, fault?: string): void
  /** Returns the unanswered request of an exchange, if any. */
  unanswered(exchange: string): OpenRequest | undefined
  /** Records an event other than a message, such as a closed connection. */
  derive(side: Side, message: Pick<RecordedMessage, 'direction' | 'surface' | 'content'>, place: Place): void
}

export function protocolOf({ mode }: Peer): 'mcp' | 'a2a' | 'ag_ui' {
  if (mode === 'ag_ui_client') return 'ag_ui'
  return mode.startsWith('mcp') ? 'mcp' : 'a2a'
}

/**
 * Returns the fields shared by all entries of a peer. The agent is the caller of a server and the callee of a client.
 */
export function entryOf(peer: Peer, side: Side) {
  const isAgent = peer.mode.endsWith('_server') === (side === 'caller')
  const flow: 'in' | 'out' = isAgent ? 'in' : 'out'
  return { actor: peer.name, mode: peer.mode, protocol: protocolOf(peer), flow } as const
}

/** Creates the dialogue with a peer over all connections. */
export function createDialogue(peer: Peer, tape: Tape): Dialogue {
  const open = new Map<string, OpenRequest>()
  const scopesOf = ({ exchange, session }: Place) => [
    ...(session === undefined ? [] : [`s ${session}`]),
    `x ${exchange}`,
  ]
  const keyOf = (side: Side, scope: string, id: Value) => `${side} ${scope} ${writeJson(id)}`
  const keep = (side: Side, place: Place, request: OpenRequest) => {
    for (const scope of [...scopesOf(place), ANY]) {
      open.set(keyOf(side, scope, request.id), request)
      forgetOldest(open, recordLimits.openRequests)
    }
  }
  const find = (side: Side, place: Place, id: Value) => {
    const keys = [...scopesOf(place), ANY].map((scope) => keyOf(side, scope, id))
    const request = keys.map((key) => open.get(key)).find((one) => one !== undefined)
    // A2A streams several results for one request.
    if (request !== undefined && protocolOf(peer) === 'mcp')
      for (const [key, value] of open) if (value === request) open.delete(key)
    return request
  }
  const record = (side: Side, place: Place, message: Omit<RecordedMessage, keyof ReturnType<typeof entryOf>>) =>
    tape.record({ ...entryOf(peer, side), ...(place.session !== undefined && { session: place.session }), ...message })
  const takeOne = (side: Side, message: JsonRpcMessage, place: Place) => {
    if (message.kind === 'malformed') {
      const direction = side === 'caller' ? 'request' : 'response'
      record(side, place, { direction, surface: '', content: message.text, malformed: message.reason })
    } else if (message.kind === 'response') {
      const request = find(side === 'caller' ? 'callee' : 'caller', place, message.id)
      const content = request?.isModern === true && !message.failed ? olderContent(message.content) : message.content
      const surfaces = [request?.method ?? '', ...streamedNames(peer, content)]
      const parameters = request === undefined ? {} : { request: request.params }
      for (const surface of surfaces) record(side, place, { direction: 'response', surface, content, ...parameters })
    } else {
      const older = protocolOf(peer) === 'a2a' ? olderRequest(message.method, message.params) : undefined
      const { method, params } = older ?? message
      if (message.kind === 'request')
        keep(side, place, { method, params, id: message.id, isModern: older !== undefined })
      record(side, place, { direction: 'request', surface: method, content: params })
    }
  }
  return {
    take(side, text, place, fault) {
      for (const message of messagesOf(readMessage(text, recordLimits.messageBytes, fault)))
        takeOne(side, message, place)
    },
    unanswered(exchange) {
      const scope = `caller x ${exchange} `
      return [...open].find(([key]) => key.startsWith(scope))?.[1]
    },
    derive: (side, message, place) => record(side, place, { ...message, derived: true }),
  }
}

/** Converts an A2A 1.0 result to the 0.3 format. */
export function olderContent(result: Value): Value {
  return own(olderResponse({ result }), 'result') ?? result
}

/** The fallback scope, for a response outside the session and exchange of its request. */
const ANY = '*'

/**
 * Returns the additional event name of an A2A stream item for clients ([OATF
 * §7.2](https://oatf.io/specification/protocol-bindings/a2a/)).
 */
export function streamedNames({ mode }: Peer, content: Value): string[] {
  if (mode !== 'a2a_client') return []
  const kind = ownText(content, 'kind')
  if (kind === 'status-update' || own(content, 'statusUpdate') !== undefined) return ['task/status']
  return kind === 'artifact-update' || own(content, 'artifactUpdate') !== undefined ? ['task/artifact'] : []
}
