/** The memory of an agent in use: earlier turns before the conversation, this turn after the answer. */
import type { Agent, MemoryScopeStrategy } from '@joust/agentformat'
import { abortable } from '@joust/io'
import { cloneValue, messageOf, type Value } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import type { Conversation, ConversationMessage } from '../model/conversation.ts'
import { RunFailure } from '../model/errors.ts'
import { journaled } from '../model/journal.ts'
import { textOf } from '../model/json-value.ts'
import { runtimeLimits } from '../model/limits.ts'
import type { MemoryContext, MemoryProvider, MemoryTurn } from '../model/memory.ts'

/** The conversation with the turns that the memory recalls. */
export async function withMemory(
  context: AgentContext,
  given: Conversation | undefined,
): Promise<Conversation | undefined> {
  const turns = await recall(context)
  if (turns.length === 0) return given
  const recalled = turns.flatMap((turn): ConversationMessage[] => [
    { role: 'user', text: textOf(turn.input) },
    { role: 'assistant', text: textOf(turn.output) },
  ])
  return { messages: [], clientTools: [], ...given, recalled }
}

/** Keeps this turn. A memory that cannot be written is only a warning: the answer has been given. */
export async function remember(context: AgentContext, output: Value): Promise<void> {
  const { memory, agent, input, signal } = context
  try {
    // A copy: the output has already been checked.
    const turn = cloneValue({ agent: agent.document.metadata.id, input, output })
    if (memory === undefined) return
    const { scope, provider } = memory
    const again = () => Promise.reject(new Error('the run was stopped in the meantime, and a turn is not kept twice'))
    const act = () => abortable(signal, () => provider.remember(scope, turn))
    await journaled(context.journal, { kind: 'remember', request: { scope, turn }, act, again })
  } catch (thrown) {
    if (signal.aborted) throw thrown
    context.warn('memory_failed', `the turn was not kept: ${messageOf(thrown)}`)
  }
}

/** An agent that requires a memory does not run without it. */
async function recall(context: AgentContext): Promise<readonly MemoryTurn[]> {
  const { memory, agent, signal } = context
  if (memory === undefined) return []
  try {
    const { scope, provider } = memory
    const act = () => abortable(signal, () => provider.recall(scope))
    return await journaled(context.journal, { kind: 'recall', request: { scope }, act })
  } catch (thrown) {
    if (signal.aborted) throw thrown
    const message = `the memory cannot be read: ${messageOf(thrown)}`
    if (agent.document.memory?.required === true) {
      throw new RunFailure({ code: 'memory_required', message, agent: context.path })
    }
    context.warn('memory_failed', message)
    return []
  }
}

/** The scope of a run. Escaped, so that no user can name the scope of another user's isolated sub-agent. */
export function rootScope(scope: string): string {
  return scope.replaceAll('%', '%25').replaceAll('/', '%2F')
}

/** The scope of a sub-agent. An isolated one is the same in every run of the same parent scope. */
export function childScope(
  scope: string | undefined,
  strategy: MemoryScopeStrategy | undefined,
  alias: string,
): string | undefined {
  if (scope === undefined || strategy === 'none') return undefined
  return strategy === 'isolated' ? `${scope}/${alias}` : scope
}

/** Why an agent that requires a memory cannot have one; undefined when it can, or needs none. */
export function memoryFault(
  agent: Agent,
  scope: string | undefined,
  provider: MemoryProvider | undefined,
): string | undefined {
  if (agent.document.memory?.required !== true) return undefined
  const { id } = agent.document.metadata
  if (provider === undefined) return `${id} requires a memory, and the runtime has no memory provider`
  return scope === undefined ? `${id} requires a memory, and it has no memory scope` : undefined
}

/** The memory of an agent: an agent that declares none is stateless, whatever the scope. */
export function openMemory(
  agent: Agent,
  scope: string | undefined,
  provider: MemoryProvider | undefined,
  path: readonly string[],
): MemoryContext | undefined {
  const fault = memoryFault(agent, scope, provider)
  if (fault !== undefined) throw new RunFailure({ code: 'memory_required', message: fault, agent: path })
  if (agent.document.memory === undefined || scope === undefined || provider === undefined) return undefined
  return { scope, provider }
}

/** How much is kept. */
export interface InMemoryOptions {
  /** Turns per scope, the oldest go first; default 100. */
  readonly turns?: number
}

/** A memory that lasts as long as the process; it keeps the latest turns of each scope. */
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
