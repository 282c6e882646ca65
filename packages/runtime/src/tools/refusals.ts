/** Answers of peers that the agent's own client refused. */
import type { AgentContext } from '../context/agent-context.ts'
import { RefusedAnswer } from '../model/errors.ts'

/** Whose answer it was. */
export interface AnsweringPeer {
  readonly peer: 'mcp' | 'remote'
  readonly alias: string
}

/** Does something that a peer answers; a refused answer is reported, and still thrown. */
export async function tellingRefusals<T>(
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
