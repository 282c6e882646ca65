/** An agent that is a function of this process: it gets what a user says and where the actors are, and gives its answer. */
import { systemClock, within } from '@joust/io'
import type { Value } from '@joust/source'
import { ArenaError, messageOf } from '../model/errors.ts'
import { bounds } from '../model/limits.ts'
import { lackingOf } from '../model/needs.ts'
import type { ServerActor, Target, TargetArena, TargetSession } from '../model/target.ts'
import { inRequest } from './front-door/carries.ts'
import type { OpenConversation, Turn } from './front-door/conversation.ts'
import { frontDoorAbilities, openFrontDoor } from './front-door/front-door.ts'
import type { Pasteable } from './front-door/request.ts'

/** What the function gets. */
export interface FunctionTurn extends Turn {
  /** Tells conversations apart; the same for all turns of one. */
  readonly conversation: string
  /** The MCP servers that the agent is to use, by name. */
  readonly mcpServers: Readonly<Record<string, { readonly type: 'http'; readonly url: string }>>
  /** The A2A agents that it may delegate to, by name. */
  readonly agents: Readonly<Record<string, { readonly url: string }>>
}

/** The agent. */
export type AgentFunction = (turn: FunctionTurn) => string | Promise<string>

/** A function to attack. */
export interface FunctionTargetOptions {
  readonly call: AgentFunction
  /** How it is named in results. */
  readonly name: string
  /** What it is asked when the document has no client actor. */
  readonly prompt?: string
  /** What is put into the prompt because the function does not look at the request. */
  readonly paste?: readonly Pasteable[]
  /** How long a turn may take; default 5 minutes. */
  readonly timeoutMs?: number
}

/** A function as a target. What it throws is a failure of the agent, never an answer. */
export function functionTarget(options: FunctionTargetOptions): Target {
  const { name, paste = [] } = options
  const offer = {
    ...frontDoorAbilities,
    who: 'a function',
    servers: ['mcp_server', 'a2a_server'],
    carries: [...inRequest, ...paste],
  }
  return {
    name,
    lacks: (needs) => lackingOf(needs, offer),
    start: (arena) => startFunction(options, arena),
  }
}

const NOTHING = Symbol('no answer')

async function startFunction(options: FunctionTargetOptions, arena: TargetArena): Promise<TargetSession> {
  const { call, name, prompt, paste, timeoutMs = bounds.commandMs } = options
  const peers = { mcpServers: serversIn(arena, 'mcp_server'), agents: serversIn(arena, 'a2a_server') }
  const open: OpenConversation = async (conversation) => ({
    async say(turn) {
      const answer = Promise.resolve()
        .then<unknown>(() => call({ ...turn, conversation, ...peers }))
        .catch((thrown) => fail(name, thrown))
      const answered = await within(systemClock, timeoutMs, answer, turn.signal, () => NOTHING)
      if (turn.signal.aborted) throw new ArenaError('stopped', 'the run is over')
      if (answered === NOTHING)
        throw new ArenaError('target_failed', `${name} did not answer within ${timeoutMs / 1000} s`)
      return { text: textOf(answered, name) }
    },
    close: async () => {},
  })
  const asked = { ...(prompt !== undefined && { prompt }), ...(paste !== undefined && { paste }) }
  const door = await openFrontDoor({ name, open, turnMs: timeoutMs, ...asked }, arena)
  const lines = arena.servers.map(
    ({ actor, mode, address }) => `actor ${actor} (${mode}) ${address} → given to ${name}`,
  )
  return { ...door, wiring: [...lines, ...(door.wiring ?? [])] }
}

function serversIn({ servers }: TargetArena, mode: string): Record<string, { type: 'http'; url: string }> {
  const of = servers.filter((server: ServerActor) => server.mode === mode)
  return Object.fromEntries(of.map(({ actor, address }) => [actor, { type: 'http', url: address }]))
}

function fail(name: string, thrown: unknown): never {
  throw new ArenaError('target_failed', `${name} failed: ${messageOf(thrown)}`, { cause: thrown })
}

/** A function may come from JavaScript, so its type is only a wish. */
function textOf(answer: unknown, name: string): string {
  if (typeof answer === 'string') return answer
  const got: Value = answer === null ? 'null' : typeof answer
  throw new ArenaError('target_failed', `${name} has to answer with a text, and answered with ${got}`)
}
