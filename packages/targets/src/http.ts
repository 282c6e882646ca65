/** HTTP services as targets: one request per turn, with the answer at a path in the response. */

import type { Target, TargetArena, TargetSession } from '@joust/arena'
import { type ActorNeeds, ArenaError, lackingOf } from '@joust/arena'
import { createHttpSend } from '@joust/arena/wire'
import { withTimeout } from '@joust/io'
import { isRecord, type Value } from '@joust/source'
import { chatAbilities, openChat } from './chat/chat.ts'
import type { OpenConversation } from './chat/conversations.ts'
import { historyIn, requestParts } from './chat/request.ts'
import { unknownServers, withGatewayFaults } from './gateway/gateway-run.ts'
import { readHttpAnswer } from './http/answer.ts'
import { pollAnswer } from './http/poll.ts'
import { type ChatMessage, fillMessage, fillRequest, type HttpTargetOptions } from './http/request.ts'
import { targetLimits } from './limits.ts'
import { withOpenModel } from './models/access.ts'

const DEFAULT_BODY: Value = { prompt: '{prompt}', conversation: '{conversation}' }

/**
 * Creates a target from an HTTP service.
 *
 * @example
 * const target = httpTarget({ name: 'desk', url: 'http://127.0.0.1:8000/chat', body: { text: '{prompt}' }, answer: 'reply' })
 */
export function httpTarget(options: HttpTargetOptions): Target {
  const { name, url, body = DEFAULT_BODY, paste = [], gateway, knows } = options
  const run = gateway?.openRun()
  const texts = [url, ...textsIn(body)]
  const has = (placeholder: string) => texts.some((text) => text.includes(placeholder))
  const hasTurns = has('{conversation}') || has('{input}') || has('{messages}')
  const carries = [
    ...(hasTurns ? (['turns'] as const) : []),
    // A template with `{input}` declares that the agent accepts the complete request.
    ...(has('{input}') ? requestParts : []),
    ...(has('{messages}') ? (['history'] as const) : []),
    ...paste,
  ]
  const abilities = { ...chatAbilities, who: 'this request', servers: ['mcp_server', 'a2a_server'], carries }
  const isInRequest = ({ actor, mode }: ActorNeeds) =>
    has(`{${actor}.url}`) || (mode === 'mcp_server' && has('{mcp_servers}'))
  const missing = (servers: readonly ActorNeeds[]) => servers.filter((server) => !isInRequest(server))
  return {
    name,
    kind: 'http',
    prompt: options.prompt,
    ...(run && { listen: run.listen }),
    preflight: run !== undefined || has('{mcp_servers}') ? 'tool_call' : 'answer',
    lacks: (needs) => [
      ...lackingOf(needs, abilities),
      ...(run === undefined ? unknownServers(missing(needs.servers), knows) : []),
    ],
    start: async (arena) => {
      const headers = { ...options.headers, ...run?.headers }
      const session = await withOpenModel(options.openModel, arena, (model) =>
        startHttp({ ...options, headers, body, hasTurns }, arena, model?.url),
      )
      return withGatewayFaults(run, session)
    },
  }
}

async function startHttp(
  options: HttpTargetOptions & { readonly body: Value; readonly hasTurns: boolean },
  arena: TargetArena,
  modelUrl: string | undefined,
): Promise<TargetSession> {
  const { name, prompt, paste, timeoutMs = targetLimits.commandMs, hasTurns, send = createHttpSend() } = options
  const open: OpenConversation = async (id) => {
    let conversation = options.conversation === undefined ? `${id} ${crypto.randomUUID()}` : undefined
    const history: ChatMessage[] = []
    return {
      async say({ prompt: text, input, number, signal }) {
        history.push(...(number === 1 ? historyIn(input) : []), { role: 'user', content: text })
        const messages = history.map((message) => fillMessage(message, options.message))
        const values = { prompt: text, input, conversation, messages, servers: arena.servers, modelUrl }
        const call = fillRequest(options, values)
        let waiting = ''
        const onWait = (last: string) => {
          waiting = `: still polling; ${last}`
        }
        const limited = withTimeout(signal, timeoutMs)
        try {
          const first = await send({ ...call, signal: limited.signal })
          const { poll } = options
          const { headers } = call
          const last = poll && (await pollAnswer(first, { name, poll, send, headers, signal: limited.signal, onWait }))
          const answer = await readHttpAnswer(last ?? first, options)
          conversation ??= answer.conversation
          history.push({ role: 'assistant', content: answer.text })
          return { text: answer.text }
        } catch (thrown) {
          if (signal.aborted || !limited.signal.aborted) throw thrown
          throw new ArenaError('timed_out', `${name} did not answer within ${timeoutMs / 1000} s${waiting}`)
        } finally {
          limited.close()
        }
      },
      close: async () => {},
    }
  }
  const session = await openChat({ name, open, turnMs: timeoutMs, prompt, paste, hasTurns }, arena)
  const lines = arena.servers.map(({ actor, mode, address }) => `actor ${actor} (${mode}) at ${address}`)
  return { ...session, wiring: [...lines, ...(session.wiring ?? [])] }
}

function textsIn(value: Value): readonly string[] {
  if (typeof value === 'string') return [value]
  const parts = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []
  return parts.flatMap(textsIn)
}
