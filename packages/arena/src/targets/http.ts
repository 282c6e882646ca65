/** An agent behind an address of its own kind: a request for each turn, and a path to the answer. */
import { isRecord, type Value } from '@joust/source'
import { ArenaError } from '../model/errors.ts'
import { arenaLimits } from '../model/limits.ts'
import { type ActorNeeds, lackingOf } from '../model/needs.ts'
import type { Target, TargetArena, TargetSession } from '../model/target.ts'
import { createHttpSend } from '../transport/http-client.ts'
import { frontDoorAbilities, openFrontDoor } from './front-door/front-door.ts'
import type { OpenConversation } from './front-door/reception.ts'
import { inRequest } from './front-door/request.ts'
import { atGateway, unknownServers } from './gateway/seat.ts'
import { readHttpAnswer } from './http/answer.ts'
import { fillRequest, type HttpTargetOptions } from './http/request.ts'

const DEFAULT_BODY: Value = { prompt: '{prompt}', conversation: '{conversation}' }

/** An address as a target. */
export function httpTarget(options: HttpTargetOptions): Target {
  const { name, url, body = DEFAULT_BODY, paste = [], gateway, knows } = options
  const seat = gateway?.seat()
  const texts = [url, ...textsIn(body)]
  const has = (placeholder: string) => texts.some((text) => text.includes(placeholder))
  const carries = [
    ...(has('{conversation}') || has('{input}') ? (['turns'] as const) : []),
    // Whoever writes it into the request says that the agent accepts it.
    ...(has('{input}') ? inRequest : []),
    ...paste,
  ]
  const offer = { ...frontDoorAbilities, who: 'this request', servers: ['mcp_server', 'a2a_server'], carries }
  const isTold = ({ actor, mode }: ActorNeeds) =>
    has(`{${actor}.url}`) || (mode === 'mcp_server' && has('{mcp_servers}'))
  const untold = (servers: readonly ActorNeeds[]) => servers.filter((server) => !isTold(server))
  return {
    name,
    ...(seat && { listen: seat.listen }),
    control: seat !== undefined || has('{mcp_servers}') ? 'tool_call' : 'answer',
    lacks: (needs) => [
      ...lackingOf(needs, offer),
      ...(seat === undefined ? unknownServers(untold(needs.servers), knows) : []),
    ],
    start: async (arena) => {
      const headers = { ...options.headers, ...seat?.headers }
      return atGateway(seat, await startHttp({ ...options, headers, body }, arena))
    },
  }
}

async function startHttp(
  options: HttpTargetOptions & { readonly body: Value },
  arena: TargetArena,
): Promise<TargetSession> {
  const { name, prompt, paste, timeoutMs = arenaLimits.commandMs, send = createHttpSend() } = options
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
  const door = await openFrontDoor({ name, open, turnMs: timeoutMs, prompt, paste }, arena)
  const lines = arena.servers.map(({ actor, mode, address }) => `actor ${actor} (${mode}) at ${address}`)
  return { ...door, wiring: [...lines, ...(door.wiring ?? [])] }
}

function textsIn(value: Value): readonly string[] {
  if (typeof value === 'string') return [value]
  const parts = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []
  return parts.flatMap(textsIn)
}
