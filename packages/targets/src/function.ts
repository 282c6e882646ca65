/** A function as a target: in this program, or in a module that is loaded in a separate process for each run. */

import {
  ArenaError,
  lackingOf,
  type ServerActor,
  type Target,
  type TargetArena,
  type TargetSession,
} from '@joust/arena'
import { startWithin, systemClock } from '@joust/io'
import { isRecord, type Value } from '@joust/source'
import { chatAbilities, openChat } from './chat/chat.ts'
import type { OpenConversation } from './chat/conversations.ts'
import type { RequestPart } from './chat/request.ts'
import type { CommandTargetOptions } from './command.ts'
import { failureText } from './failure-text.ts'
import { type FunctionLocation, startModule } from './function/module.ts'
import { describeThrown } from './function/thrown.ts'
import { behindGateway } from './gateway/gateway-run.ts'
import { targetLimits } from './limits.ts'
import { withOpenModel } from './models/access.ts'

/**
 * The argument of an agent function.
 *
 * @example
 * const target = functionTarget({
 *   name: 'clerk',
 *   call: async ({ prompt, number, signal }) => (number === 1 ? (await fetch(prompt, { signal })).text() : 'Done.'),
 * })
 */
export interface FunctionTurn {
  /** The user's message. */
  readonly prompt: string
  /** The client actor's complete request. */
  readonly input: Value
  /** Number of the turn in the conversation, from 1. */
  readonly number: number
  readonly conversation: string
  /** MCP servers that the agent should use, by name. */
  readonly mcpServers: Readonly<Record<string, { readonly type: 'http'; readonly url: string }>>
  /** A2A agents that the agent may delegate to, by name. */
  readonly agents: Readonly<Record<string, { readonly url: string }>>
  /** URL of the model proxy, if the target has one. */
  readonly modelUrl?: string
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal
}

/** An agent implemented as a function that returns its answer. */
export type AgentFunction = (turn: FunctionTurn) => string | Promise<string>

interface FunctionOptions
  extends Pick<CommandTargetOptions, 'prompt' | 'paste' | 'timeoutMs' | 'openModel' | 'gateway'> {
  /** Target name in results. */
  readonly name: string
  /** Request parts that the function reads in addition to the prompt. @default [] */
  readonly carries?: readonly RequestPart[]
}

/**
 * Options for `functionTarget` for a function in this program, whose state is shared by all runs.
 *
 * @example
 * const target = functionTarget({ name: 'clerk', call: ({ prompt, mcpServers }) => ask(prompt, mcpServers), timeoutMs: 30_000 })
 */
export interface CallTargetOptions extends FunctionOptions {
  readonly call: AgentFunction
}

/**
 * Options for `functionTarget` for a function in a module. Each conversation has its own process.
 *
 * @example
 * const target = functionTarget({ name: 'clerk', module: '/home/me/clerk.ts', export: 'answer' })
 */
export interface ModuleTargetOptions
  extends FunctionOptions,
    FunctionLocation,
    Pick<CommandTargetOptions, 'cwd' | 'environment'> {}

/** Options for {@link functionTarget}. */
export type FunctionTargetOptions = CallTargetOptions | ModuleTargetOptions

/**
 * Creates a target from a function. An exception is a failure of the agent, never an answer. Throws a `TypeError` if
 * the name is missing, or both function and module.
 *
 * @example
 * const target = functionTarget({ name: 'clerk', call: async ({ prompt, mcpServers }) => ask(prompt, mcpServers) })
 */
export function functionTarget(options: FunctionTargetOptions): Target {
  requireOptions(options)
  const { name, paste = [], carries = [] } = options
  const abilities = {
    ...chatAbilities,
    who: 'a function',
    servers: ['mcp_server', 'a2a_server'],
    carries: ['turns' as const, ...carries, ...paste],
  }
  const target: Target = {
    name,
    kind: 'function',
    prompt: options.prompt,
    preflight: 'tool_call',
    lacks: (needs) => lackingOf(needs, abilities),
    start: (arena) => ('call' in options ? startCall(options, arena) : startModule(name, options, arena)),
  }
  return behindGateway(target, options.gateway)
}

/** Throws a `TypeError` for invalid options, which untyped callers may pass. */
function requireOptions(options: unknown): void {
  const { name, call, module, timeoutMs = 1 }: Partial<Record<string, unknown>> = isRecord(options) ? options : {}
  const refuse = (message: string) => {
    throw new TypeError(`functionTarget: ${message}`)
  }
  if (typeof name !== 'string' || name === '') refuse('"name" must be a non-empty string')
  if (typeof call !== 'function' && typeof module !== 'string')
    refuse('set "call" to a function, or "module" to the path of a module')
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0)) refuse('"timeoutMs" must be a number of milliseconds above 0')
}

function startCall(options: CallTargetOptions, arena: TargetArena): Promise<TargetSession> {
  const { name, prompt, paste, timeoutMs = targetLimits.commandMs } = options
  const { servers } = arena
  const mcpServers = serversOf(servers, 'mcp_server', (url) => ({ type: 'http' as const, url }))
  const agents = serversOf(servers, 'a2a_server', (url) => ({ url }))
  return withOpenModel(options.openModel, arena, async (model) => {
    const context = { mcpServers, agents, ...(model && { modelUrl: model.url }) }
    const open: OpenConversation = async () => {
      const conversation = crypto.randomUUID()
      return { say: async (turn) => callOnce(options, { ...turn, ...context, conversation }), close: async () => {} }
    }
    const session = await openChat({ name, open, turnMs: timeoutMs, prompt, paste, hasTurns: true }, arena)
    const lines = servers.map(({ actor, mode, address }) => `actor ${actor} (${mode}) ${address} → given to ${name}`)
    return { ...session, wiring: [...lines, ...(session.wiring ?? [])] }
  })
}

function serversOf<T>(servers: readonly ServerActor[], mode: string, entry: (url: string) => T): Record<string, T> {
  const entries = servers.filter((server) => server.mode === mode)
  return Object.fromEntries(entries.map(({ actor, address }) => [actor, entry(address)]))
}

/** Calls the function. An exception, a timeout or an answer that is not a string is a failure of the target. */
async function callOnce(
  { name, call, timeoutMs = targetLimits.commandMs }: CallTargetOptions,
  turn: FunctionTurn,
): Promise<{ readonly text: string }> {
  const late = new ArenaError('target_failed', `${name} did not answer within ${timeoutMs / 1000} s`)
  let answer: unknown
  try {
    answer = await startWithin(
      systemClock,
      timeoutMs,
      [turn.signal],
      (signal) => call({ ...turn, signal }),
      () => late,
    )
  } catch (thrown) {
    if (thrown === late || turn.signal.aborted) throw thrown
    const failure = failureText(`${name} answered with an error: ${describeThrown(thrown)}`, '')
    throw new ArenaError('target_failed', failure, { cause: thrown })
  }
  if (typeof answer === 'string') return { text: answer }
  const got = answer === null ? 'null' : typeof answer
  throw new ArenaError(
    'target_failed',
    `${name} answered with an error: expected the function to return a string, got ${got}`,
  )
}
