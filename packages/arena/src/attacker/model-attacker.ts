/** A model as the attacker of a search. */
import type { LanguageModel } from '@joust/runtime'
import { err, type Result } from '@joust/source'
import { messageOf } from '../model/errors.ts'
import { bounds } from '../model/limits.ts'
import type { Attacker, AttackerCall } from '../search/attacker.ts'
import { dataOf, instructions } from './question.ts'
import { readProposals } from './read-proposals.ts'

/** Makes an attacker of a model. */
export function modelAttacker(name: string, model: LanguageModel): Attacker {
  return {
    model: name,
    async propose(question, call) {
      const answer = await askAttacker(model, instructions, dataOf(question), call)
      return answer.ok ? readProposals(answer.value) : answer
    },
  }
}

/** One question to an attacker's model: its answer as text. Never rejects. */
export async function askAttacker(
  model: LanguageModel,
  system: string,
  data: string,
  { signal, onCall }: AttackerCall,
): Promise<Result<string, string>> {
  try {
    const { content, usage, finishReason } = await model.doGenerate({
      prompt: [
        { role: 'system', content: system },
        { role: 'user', content: [{ type: 'text', text: data }] },
      ],
      abortSignal: AbortSignal.any([signal, AbortSignal.timeout(bounds.attackerMs)]),
    })
    onCall({ inputTokens: usage.inputTokens?.total ?? 0, outputTokens: usage.outputTokens?.total ?? 0 })
    if (finishReason.unified !== 'stop') return err(`the attacker did not finish its answer: ${finishReason.unified}`)
    return { ok: true, value: content.map((part) => (part.type === 'text' ? part.text : '')).join('') }
  } catch (thrown) {
    return err(signal.aborted ? 'the search was interrupted' : `the attacker gave no answer: ${messageOf(thrown)}`)
  }
}
