/** The chat interface: connects client actors of all protocols to an agent that receives and returns text. */

import type { Abilities, ClientMode, Connect, TargetArena, TargetSession } from '@joust/arena'
import { defaultRunLimits } from '@joust/arena'
import type { HttpHandler, HttpListening } from '@joust/arena/wire'
import { createMemoryHttp } from '@joust/arena/wire'
import type { TraceEntry } from '@joust/results'
import { targetLimits } from '../limits.ts'
import { a2aHandler } from './a2a.ts'
import { agUiHandler } from './ag-ui.ts'
import { type ChatContext, createConversations, type OpenConversation } from './conversations.ts'
import { mcpHandler } from './mcp.ts'
import { DEFAULT_PROMPT, type Pasteable, promptLine } from './request.ts'
import { nextRequest } from './user-request.ts'

/** Options for {@link openChat}. */
export interface ChatOptions {
  readonly name: string
  readonly open: OpenConversation
  /** The prompt for documents without a client actor. @default a general request to use the tools */
  readonly prompt?: string | undefined
  /**
   * Parts of a request that are pasted into the prompt because the agent cannot receive them otherwise.
   * @default []
   */
  readonly paste?: readonly Pasteable[] | undefined
  /** Timeout of a turn, in milliseconds. @default 300000 */
  readonly turnMs?: number
  /** True if the agent can continue a conversation. @default false */
  readonly hasTurns?: boolean
}

const handlers: Readonly<Record<string, (context: ChatContext) => HttpHandler>> = {
  ag_ui_client: agUiHandler,
  a2a_client: a2aHandler,
  mcp_client: mcpHandler,
} satisfies Record<ClientMode, (context: ChatContext) => HttpHandler>

/** Abilities that all chat interfaces have. Targets add the parts of requests that they support. */
export const chatAbilities: Pick<Abilities, 'clients' | 'servers'> = {
  clients: Object.keys(handlers),
  servers: ['mcp_server'],
}

/**
 * Starts the session of a target with a chat interface. Stopping the session ends all conversations.
 *
 * @example
 * const echo = {
 *   name: 'echo',
 *   start: (arena: Parameters<typeof openChat>[1]) =>
 *     openChat(
 *       { name: 'echo', open: async () => ({ say: async ({ prompt }) => ({ text: prompt }), close: async () => {} }) },
 *       arena,
 *     ),
 * }
 * const { outcome } = await runAttack(attack, { target: echo })
 */
export async function openChat(options: ChatOptions, arena: TargetArena): Promise<TargetSession> {
  const { name, prompt = DEFAULT_PROMPT, turnMs = targetLimits.commandMs, hasTurns = false } = options
  const conversations = createConversations(options.open, options.paste ?? [], arena.signal)
  const faults = new Set<string>()
  const context: ChatContext = {
    conversations,
    newId: () => crypto.randomUUID(),
    maxBytes: defaultRunLimits.messageBytes,
    fail: (fault) => faults.add(fault),
  }
  const { listen, send } = createMemoryHttp()
  const servers: HttpListening[] = []
  const endpoints: [string, Connect][] = []
  const replyMs = turnMs + targetLimits.replyGraceMs
  for (const { actor, mode } of arena.clients) {
    const createHandler = handlers[mode]
    if (createHandler === undefined) continue
    const server = await listen(createHandler(context))
    servers.push(server)
    endpoints.push([actor, { kind: 'http', url: `${server.origin}/agent`, send, replyMs }])
  }
  const hasNoClient = arena.clients.length === 0
  const ask = async () => {
    const message = { text: prompt, extras: {} }
    await conversations.send({ thread: 'user', message, input: { prompt }, mayBeEmpty: true })
  }
  return {
    endpoints: Object.fromEntries(endpoints),
    wiring: hasNoClient
      ? [promptLine(prompt, `through ${name} `)]
      : arena.clients.map(({ actor, mode }) => `actor ${actor} (${mode}) → ${name}, one prompt per message`),
    ...(hasNoClient ? { turn: () => unlessAborted(ask(), arena.signal) } : {}),
    output: () => conversations.answer() ?? '',
    repeat: conversations.repeat,
    ...(hasTurns && {
      ask: (question: string, trace: readonly TraceEntry[]) =>
        conversations.ask(question, nextRequest(question, trace, context.newId)?.content ?? { prompt: question }),
    }),
    notes: conversations.notes,
    faults: () => (arena.signal.aborted ? [] : [...faults]),
    async stop() {
      await conversations.close()
      await Promise.allSettled(servers.map((server) => server.close()))
    },
  }
}

/** Waits for a turn, and ignores its failure once the run has ended. */
async function unlessAborted(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  try {
    await turn
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  }
}
