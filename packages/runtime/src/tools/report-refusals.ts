/** Reports rejected responses from peers. */
import type { AgentContext } from '../context/agent-context.ts'
import { RefusedAnswer } from '../model/errors.ts'

export interface AnsweringPeer {
  readonly peer: 'mcp' | 'remote'
  readonly alias: string
}

/** Runs `work`. If it fails because a response was rejected, emits an event and rethrows the error. */
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
