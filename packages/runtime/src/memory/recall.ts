/** The memory of an agent in use: earlier turns before the conversation, this turn after the answer. */
import { cloneValue, type Value, valueToText } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import type { Conversation, ConversationMessage } from '../model/conversation.ts'
import { messageOf, RunFailure } from '../model/errors.ts'
import { journaled } from '../model/journal.ts'
import type { MemoryTurn } from '../model/memory.ts'

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

/** Keeps this turn. A memory that cannot be written is a warning: the answer is there. */
export async function remember(context: AgentContext, output: Value): Promise<void> {
  const { memory, agent, input, signal } = context
  try {
    // A copy: the output has been checked already.
    const turn = cloneValue({ agent: agent.document.metadata.id, input, output })
    if (memory === undefined) return
    const { scope } = memory
    const again = () => Promise.reject(new Error('the run was stopped meanwhile, and a turn is not kept twice'))
    const act = () => memory.remember(turn)
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
    const { scope } = memory
    return await journaled(context.journal, { kind: 'recall', request: { scope }, act: () => memory.recall() })
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

function textOf(value: Value): string {
  const text = valueToText(value, 'document')
  return text.ok ? text.value : ''
}
