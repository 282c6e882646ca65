/** A2A paths and error codes: the agent card (A2A 0.3.0, RFC 8615), its endpoints, and HTTP+JSON. */
import { own, ownList, type Value } from '@joust/source'

/** Method in documents for the agent card ([OATF §7.2.5](https://oatf.io/specification/protocol-bindings/a2a/)). */
export const CARD_METHOD = 'agent_card/get'

/** Error codes defined by A2A. */
export const a2aCodes = { taskNotFound: -32001, taskNotCancelable: -32002, pushNotSupported: -32003 } as const

/** Path of the agent card in A2A 0.3.0. */
export const CARD_PATH = '/.well-known/agent-card.json'

/** Paths of the agent card, including the path in earlier versions. */
export const cardPaths: readonly string[] = [CARD_PATH, '/.well-known/agent.json']

interface CardInterface {
  readonly url: Value | undefined
  readonly transport: Value | undefined
  readonly version: Value | undefined
}

/** Lists the endpoints in an agent card of A2A 0.3 or 1.0. */
export function interfacesIn(card: Value): CardInterface[] {
  const version = own(card, 'protocolVersion') ?? '0.3'
  return [
    { url: own(card, 'url'), transport: own(card, 'preferredTransport') ?? 'JSONRPC', version },
    ...ownList(card, 'additionalInterfaces').map((one) => {
      return { url: own(one, 'url'), transport: own(one, 'transport'), version }
    }),
    ...ownList(card, 'supportedInterfaces').map((one) => {
      return { url: own(one, 'url'), transport: own(one, 'protocolBinding'), version: own(one, 'protocolVersion') }
    }),
  ]
}

/** HTTP+JSON methods of A2A 1.0. Braces enclose parameter names. */
export const restPaths: readonly {
  readonly name: string
  readonly verb: 'GET' | 'POST' | 'DELETE'
  readonly path: string
}[] = [
  { name: 'SendMessage', verb: 'POST', path: '/message:send' },
  { name: 'SendStreamingMessage', verb: 'POST', path: '/message:stream' },
  { name: 'ListTasks', verb: 'GET', path: '/tasks' },
  { name: 'GetTask', verb: 'GET', path: '/tasks/{id}' },
  { name: 'CancelTask', verb: 'POST', path: '/tasks/{id}:cancel' },
  { name: 'SubscribeToTask', verb: 'POST', path: '/tasks/{id}:subscribe' },
  { name: 'CreateTaskPushNotificationConfig', verb: 'POST', path: '/tasks/{taskId}/pushNotificationConfigs' },
  { name: 'GetTaskPushNotificationConfig', verb: 'GET', path: '/tasks/{taskId}/pushNotificationConfigs/{id}' },
  { name: 'ListTaskPushNotificationConfigs', verb: 'GET', path: '/tasks/{taskId}/pushNotificationConfigs' },
  { name: 'DeleteTaskPushNotificationConfig', verb: 'DELETE', path: '/tasks/{taskId}/pushNotificationConfigs/{id}' },
  { name: 'GetExtendedAgentCard', verb: 'GET', path: '/extendedAgentCard' },
]
