/** An agent behind an address of its own kind: a request for each turn, and a path to the answer. */
import { isRecord, type Value } from '@joust/source'
import { ArenaError } from '../model/errors.ts'
import type { HttpSend } from '../model/http.ts'
import { bounds } from '../model/limits.ts'
import { lackingOf } from '../model/needs.ts'
import type { Target, TargetArena, TargetSession } from '../model/target.ts'
import { createHttpSend } from '../transport/http-client.ts'
import { inRequest } from './front-door/carries.ts'
import type { OpenConversation } from './front-door/conversation.ts'
import { frontDoorAbilities, openFrontDoor } from './front-door/front-door.ts'
import type { Pasteable } from './front-door/request.ts'
import { readHttpAnswer } from './http/answer.ts'
import { fillRequest } from './http/request.ts'

/** An address to attack. */
export interface HttpTargetOptions {
  /** `{conversation}` and `{ACTOR.url}` are filled in. */
  readonly url: string
  /** POST, if nothing is said. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /**
   * What is sent, as JSON, or as it stands when it is a text. `{prompt}`, `{conversation}` and `{ACTOR.url}` are filled in
   * anywhere; a text that is nothing but `{input}` or `{mcp_servers}` becomes the whole request, or the addresses by name.
   */
  readonly body?: Value
  /** Where the answer stands in what comes back as JSON; all of it, if nothing is said. */
  readonly answer?: string
  /** Where the name of the conversation stands in the first answer; if nothing is said, it has one of ours. */
  readonly conversation?: string
  /** The answer comes in parts: the texts of all of them make it. */
  readonly stream?: 'sse' | 'json_lines'
  /** How it is named in results. */
  readonly name: string
  /** What it is asked when the document has no client actor. */
  readonly prompt?: string
  /** What is put into the prompt because the request has no place for it. */
  readonly paste?: readonly Pasteable[]
  /** How long a turn may take; default 5 minutes. */
  readonly timeoutMs?: number
  /** How requests are sent: over sockets, if nothing is said. */
  readonly send?: HttpSend
}

const DEFAULT_BODY: Value = { prompt: '{prompt}', conversation: '{conversation}' }

/** An address as a target. */
export function httpTarget(options: HttpTargetOptions): Target {
  const { name, url, body = DEFAULT_BODY, paste = [] } = options
  const texts = [url, ...textsIn(body)]
  const has = (placeholder: string) => texts.some((text) => text.includes(placeholder))
  const carries = [
    ...(has('{conversation}') ? (['turns'] as const) : []),
    ...(has('{input}') ? inRequest : []),
    ...paste,
  ]
  const offer = { ...frontDoorAbilities, who: 'this request', servers: ['mcp_server', 'a2a_server'], carries }
  return {
    name,
    lacks: (needs) => lackingOf(needs, offer),
    start: (arena) => startHttp({ ...options, body }, arena),
  }
}

async function startHttp(
  options: HttpTargetOptions & { readonly body: Value },
  arena: TargetArena,
): Promise<TargetSession> {
  const { name, prompt, paste, timeoutMs = bounds.commandMs, send = createHttpSend() } = options
  const open: OpenConversation = async (id) => {
    const ours = options.conversation === undefined ? `${id} ${crypto.randomUUID()}` : undefined
    let conversation = ours
    return {
      async say({ prompt: said, input, signal }) {
        const call = fillRequest(options, { prompt: said, input, conversation, servers: arena.servers })
        const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
        try {
          const read = await readHttpAnswer(await send({ ...call, signal: until }), options)
          conversation ??= read.conversation
          return { text: read.text }
        } catch (thrown) {
          if (signal.aborted || !until.aborted) throw thrown
          throw new ArenaError('target_failed', `${name} did not answer within ${timeoutMs / 1000} s`)
        }
      },
      close: async () => {},
    }
  }
  const asked = { ...(prompt !== undefined && { prompt }), ...(paste !== undefined && { paste }) }
  const door = await openFrontDoor({ name, open, turnMs: timeoutMs, ...asked }, arena)
  const lines = arena.servers.map(({ actor, mode, address }) => `actor ${actor} (${mode}) at ${address}`)
  return { ...door, wiring: [...lines, ...(door.wiring ?? [])] }
}

function textsIn(value: Value): readonly string[] {
  if (typeof value === 'string') return [value]
  const parts = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []
  return parts.flatMap(textsIn)
}
