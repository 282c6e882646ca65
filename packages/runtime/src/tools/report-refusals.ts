/** Reports responses from peers that the client rejected. */
import type { AgentContext } from '../context/agent-context.ts'
import { RefusedAnswer } from '../model/errors.ts'

/** The peer that sent a response. */
export interface AnsweringPeer {
  readonly peer: 'mcp' | 'remote'
  readonly alias: string
}

/** Runs work with a peer; emits an event for a rejected response and rethrows it. */
export async function reportRefusals<T>(
  { peer, alias }: AnsweringPeer,
  { emit }: Pick<AgentContext, 'emit'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof RefusedAnswer) {
      const { operation, message } = thrown
      emit({ type: 'answer-refused', peer, alias, operation, message })
    }
    throw thrown
  }
}
