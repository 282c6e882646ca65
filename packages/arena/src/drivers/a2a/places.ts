/** Where an agent is: its card (A2A 0.3.0, RFC 8615), what the card names, the paths of HTTP+JSON; its error codes. */
import { own, ownList, type Value } from '@joust/source'

/** What documents call asking for a card (§7.2.5). */
export const CARD_METHOD = 'agent_card/get'

/** The error codes of A2A itself. */
export const a2aCodes = { taskNotFound: -32001, taskNotCancelable: -32002, pushNotSupported: -32003 } as const

/** The path of a card in A2A 0.3.0. */
export const CARD_PATH = '/.well-known/agent-card.json'

/** That path, and where clients of earlier versions look. */
export const cardPaths: readonly string[] = [CARD_PATH, '/.well-known/agent.json']

/** An address that a card names, and what is spoken there. */
interface CardInterface {
  readonly url: Value | undefined
  readonly transport: Value | undefined
  readonly version: Value | undefined
}

/** Every address in a card: its own, those beside it, and those of A2A 1.0, which has only a list. */
export function interfacesIn(card: Value): CardInterface[] {
  const version = own(card, 'protocolVersion') ?? '0.3'
  return [
    { url: own(card, 'url'), transport: own(card, 'preferredTransport') ?? 'JSONRPC', version },
    ...ownList(card, 'additionalInterfaces').map((one) => ({
      url: own(one, 'url'),
      transport: own(one, 'transport'),
      version,
    })),
    ...ownList(card, 'supportedInterfaces').map((one) => ({
      url: own(one, 'url'),
      transport: own(one, 'protocolBinding'),
      version: own(one, 'protocolVersion'),
    })),
  ]
}

/** The methods of 1.0 over HTTP+JSON; `{id}` is the task. */
export const restPaths: readonly { readonly name: string; readonly verb: 'GET' | 'POST'; readonly path: string }[] = [
  { name: 'SendMessage', verb: 'POST', path: '/message:send' },
  { name: 'SendStreamingMessage', verb: 'POST', path: '/message:stream' },
  { name: 'ListTasks', verb: 'GET', path: '/tasks' },
  { name: 'GetTask', verb: 'GET', path: '/tasks/{id}' },
  { name: 'CancelTask', verb: 'POST', path: '/tasks/{id}:cancel' },
  { name: 'SubscribeToTask', verb: 'POST', path: '/tasks/{id}:subscribe' },
  { name: 'GetExtendedAgentCard', verb: 'GET', path: '/extendedAgentCard' },
]
