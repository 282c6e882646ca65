import { actionTexts, type Binding, bindingMode, headerTexts } from './binding.ts'

/** JSON-RPC methods of A2A 0.3.0, and the synthetic name of the agent card request. */
const methods = [
  'message/send',
  'message/stream',
  'tasks/get',
  'tasks/list',
  'tasks/cancel',
  'tasks/resubscribe',
  'tasks/pushNotificationConfig/set',
  'tasks/pushNotificationConfig/get',
  'tasks/pushNotificationConfig/list',
  'tasks/pushNotificationConfig/delete',
  'agent/getAuthenticatedExtendedCard',
  'agent_card/get',
] as const

/** A Joust extension: a push notification to a server's address, from any sender. */
export const PUSH_SURFACE = 'task/push'

/** Joust extensions that only a server receives: push notifications, and requests for the keys of its agent card. */
const received = [PUSH_SURFACE, 'agent_card/keys'] as const

/** Synthetic names of streamed items, which only a client receives. */
const streamed = ['task/status', 'task/artifact'] as const

/** Agent-to-Agent protocol ([OATF §7.2](https://oatf.io/specification/protocol-bindings/a2a/)). */
export const a2a: Binding = {
  protocol: 'a2a',
  title: 'Agent-to-Agent protocol',
  section: '§7.2',
  modes: [
    bindingMode({
      mode: 'a2a_server',
      role: 'server',
      events: [...methods, ...received],
      unlisted: received,
      stateTexts: {
        agent_card: 'The agent card, which agents read before sending a message.',
        'agent_card.url': "The advertised URL; replaced at run time with the server's actual URL.",
        task_responses: 'The responses to messages and tasks; the first entry whose `when` matches is sent.',
        'x-joust-signature': 'A Joust extension: the signature of the agent card, or a list of them.',
        'x-joust-signature.key': 'The name of the signing key; the key is derived from the name.',
        'x-joust-signature.kid': 'The key id in the header, if it differs from the key name.',
        'x-joust-signature.alg': 'The algorithm: `ES256` or `none`.',
        'x-joust-signature.jku': 'The URL of the keys, for the header. Omitted by default.',
        'x-joust-signature.of': 'Field values at the time of signing; null for a field that was missing.',
        ...headerTexts,
      },
      // No `send`: an A2A agent has no channel for unsolicited messages.
      entryActions: ['send_push_notification', 'log'],
    }),
    bindingMode({
      mode: 'a2a_client',
      role: 'client',
      events: [...methods, ...streamed],
      stateTexts: { ...actionTexts, ...headerTexts },
      entryActions: ['send', 'send_push_notification', 'log'],
    }),
  ],
  surfaces: [...methods, ...streamed, ...received],
}
