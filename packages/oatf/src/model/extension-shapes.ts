/** Shapes of extensions on states, responses and actions. Lint rules check extensions on attacks and indicators. */
import { type Shape, shapes } from '@joust/source'

const { count, enumeration, list, map, object, optional, required, some, text, value } = shapes

/** On a response: messages to send before the response. */
export const DURING = 'x-joust-during'
/** On the state of an MCP server: the lifetime and scope of cached results. */
export const CACHE = 'x-joust-cache'

const chosen = { when: optional(map(value)), synthesize: optional(value) }
const page = object({ status: optional(value), headers: optional(map(value)), body: optional(value) })
const send = object({ method: required(text), params: optional(value) }, 'extensions')

export const extensionShapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  [CACHE, object({ ttlMs: optional(count()), cacheScope: optional(enumeration(['public', 'private'])) })],
  [DURING, list(object({ send: required(send) }, 'extensions'))],
  ['x-joust-headers', map(value)],
  ['x-joust-pages', list(object({ path: required(text), content: required(page), ...chosen }, 'extensions'))],
  ['x-joust-resume', list(object({ content: optional(value), ...chosen }, 'extensions'))],
  [
    'x-joust-signature',
    some(
      object({
        key: required(text),
        kid: optional(text),
        alg: optional(enumeration(['ES256', 'none'])),
        jku: optional(text),
        of: optional(map(value)),
      }),
    ),
  ],
])
