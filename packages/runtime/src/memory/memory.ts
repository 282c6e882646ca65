/** Recalls an agent's earlier turns before a run and stores the new turn after it. */
import type { Agent, MemoryScopeStrategy } from '@joust/agentformat'
import { abortable } from '@joust/io'
import { cloneValue, messageOf, type Value } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import type { Conversation, ConversationMessage } from '../model/conversation.ts'
import { RunFailure } from '../model/errors.ts'
import { journaled } from '../model/journal.ts'
import { promptText, textOf } from '../model/json-value.ts'
import { runtimeLimits } from '../model/limits.ts'
import type { MemoryContext, MemoryProvider, MemoryTurn } from '../model/memory.ts'
import { outputText } from '../model/output-text.ts'

/** Adds recalled turns and the caller's history to a conversation. */
export async function withMemory(
  context: AgentContext,
  conversation: Conversation | undefined,
  history: readonly ConversationMessage[] = [],
): Promise<Conversation | undefined> {
  const exchanges = exchangesIn([...history, ...(conversation?.messages ?? [])])
  const turns = (await recall(context)).filter((turn) => !wasSaid(turn, exchanges, context.agent))
  if (turns.length === 0 && history.length === 0) return conversation
  const recalled = turns.flatMap((turn): ConversationMessage[] => [
    { role: 'user', text: promptText(turn.input) },
    { role: 'assistant', text: textOf(turn.output) },
  ])
  return { messages: [], clientTools: [], ...conversation, recalled: [...recalled, ...history] }
}

/** Returns request–answer pairs as JSON. A request is paired with each of its answers. */
function exchangesIn(messages: readonly ConversationMessage[]): ReadonlySet<string> {
  const exchanges = new Set<string>()
  let request = ''
  for (const message of messages) {
    if (message.role === 'user') request = message.text
    if (message.role === 'assistant') exchanges.add(JSON.stringify([request, message.text]))
  }
  return exchanges
}

/** True if the conversation contains the turn. Chat clients also send turns that the memory contains. */
function wasSaid({ input, output }: MemoryTurn, said: ReadonlySet<string>, { document }: Agent): boolean {
  const answer = outputText(document.interface.output, output)
  const requests = [promptText(input), outputText(document.interface.input, input)]
  return requests.some((request) => said.has(JSON.stringify([request, answer])))
}

/** Stores the turn. Failures are only warnings, because the answer is complete. */
export async function remember(context: AgentContext, output: Value): Promise<void> {
  const { memory, agent, input, signal } = context
  try {
    // A copy of the checked output, so that later changes to it are not stored.
    const turn = cloneValue({ agent: agent.document.metadata.id, input, output })
    if (memory === undefined) return
    const { scope, provider } = memory
    const again = () =>
      Promise.reject(new Error('the run was interrupted at this step, and the turn may already be stored'))
    const act = () => abortable(signal, () => provider.remember(scope, turn))
    await journaled(context.journal, { kind: 'remember', request: { scope, turn }, act, again })
  } catch (thrown) {
    if (signal.aborted) throw thrown
    context.warn('memory_failed', `cannot store the turn: ${messageOf(thrown)}`)
  }
}

/** Recalls earlier turns. Fails only for agents that require a memory (decision 0019, R-32). */
async function recall(context: AgentContext): Promise<readonly MemoryTurn[]> {
  const { memory, agent, signal } = context
  if (memory === undefined) return []
  try {
    const { scope, provider } = memory
    const act = () => abortable(signal, () => provider.recall(scope))
    return await journaled(context.journal, { kind: 'recall', request: { scope }, act })
  } catch (thrown) {
    if (signal.aborted) throw thrown
    const message = `cannot read the memory: ${messageOf(thrown)}`
    if (agent.document.memory?.required === true)
      throw new RunFailure({ code: 'memory_required', message, agent: context.path })
    context.warn('memory_failed', message)
    return []
  }
}

/** Escapes a run's memory scope, so that it cannot equal the scope of an isolated sub-agent. */
export function rootScope(scope: string): string {
  return scope.replaceAll('%', '%25').replaceAll('/', '%2F')
}

/** Returns a sub-agent's memory scope. An isolated scope depends only on the parent scope and the alias. */
export function childScope(
  scope: string | undefined,
  strategy: MemoryScopeStrategy | undefined,
  alias: string,
): string | undefined {
  if (scope === undefined || strategy === 'none') return undefined
  return strategy === 'isolated' ? `${scope}/${alias}` : scope
}

/** Returns the reason why a required memory is unavailable; otherwise undefined. */
export function memoryProblem(
  agent: Agent,
  scope: string | undefined,
  provider: MemoryProvider | undefined,
): string | undefined {
  if (agent.document.memory?.required !== true) return undefined
  const { id } = agent.document.metadata
  if (provider === undefined) return `${id} requires a memory, but no memory provider is configured`
  return scope === undefined ? `${id} requires a memory, but no memory scope was passed` : undefined
}

/** Opens the memory of an agent; undefined if it declares none. */
export function openMemory(
  agent: Agent,
  scope: string | undefined,
  provider: MemoryProvider | undefined,
  path: readonly string[],
): MemoryContext | undefined {
  const problem = memoryProblem(agent, scope, provider)
  if (problem !== undefined) throw new RunFailure({ code: 'memory_required', message: problem, agent: path })
  if (agent.document.memory === undefined || scope === undefined || provider === undefined) return undefined
  return { scope, provider }
}

/** Options for {@link createInMemory}. */
export interface InMemoryOptions {
  /** Maximum number of turns per scope; the oldest are dropped. @default 100 */
  readonly turns?: number
}

/**
 * Creates a memory that keeps the latest turns of each scope in this process.
 *
 * @example
 * const runtime = createRuntime({ memory: createInMemory() })
 */
export function createInMemory(options: InMemoryOptions = {}): MemoryProvider {
  const most = options.turns ?? runtimeLimits.memoryTurns
  const scopes = new Map<string, readonly MemoryTurn[]>()
  return {
    recall: (scope) => cloneValue(scopes.get(scope) ?? []),
    remember(scope, turn) {
      scopes.set(scope, [...(scopes.get(scope) ?? []), cloneValue(turn)].slice(-most))
    },
  }
}
