/** One attempt of a model through the journal: answers are recorded, and failures that another attempt follows. */

import { base64Of } from '@joust/io'
import { defined } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import { type Journal, journaled } from '../model/journal.ts'
import type { LanguageModel, ModelAnswer, ModelCall, ModelContent } from '../model/language-model.ts'
import { type Fault, KnownFault } from './retry.ts'

/** An answer without the warnings of its provider. */
export type Answer = Omit<ModelAnswer, 'warnings'>

interface Attempt {
  readonly model: LanguageModel
  readonly call: ModelCall
  readonly context: Pick<AgentContext, 'budget' | 'signal'>
  readonly journal: Journal | undefined
  send(): Promise<Answer>
  /**
   * The fault of what was thrown, when the model will be asked again. Anything else ends the run, and the next process
   * tries again.
   */
  retried(thrown: unknown): Fault | undefined
}

type Kept = { readonly answer: Answer } | { readonly fault: Fault }

/** Makes an attempt, or replays its outcome from an earlier process. */
export async function journaledCall({ model, call, context, journal, send, retried }: Attempt): Promise<Answer> {
  const { budget, signal } = context
  if (journal === undefined) return send()
  let isRecorded = true
  const act = async (): Promise<Kept> => {
    isRecorded = false
    try {
      const { content, usage, finishReason, providerMetadata } = await send()
      return { answer: defined({ content: content.map(withoutBytes), usage, finishReason, providerMetadata }) }
    } catch (thrown) {
      const fault = signal.aborted ? undefined : retried(thrown)
      if (fault === undefined) throw thrown
      return { fault }
    }
  }
  // Model calls count when they are sent (OPEN-34), including those whose answers were lost.
  const lost = (times: number) => {
    for (let count = 0; count < times; count++) budget.startModelCall()
  }
  const kept = await journaled(journal, { kind: 'model', request: requestOf(model, call), act, lost })
  // `sim/scripted` counts its turns.
  if (isRecorded && 'skip' in model && typeof model.skip === 'function') model.skip()
  if ('fault' in kept) throw new KnownFault(kept.fault)
  return kept.answer
}

/** The conversation and its settings, but not the tools on offer: an answer stays the same when descriptions change. */
function requestOf({ provider, modelId }: LanguageModel, { tools: _, abortSignal: __, ...rest }: ModelCall): unknown {
  return { model: `${provider}/${modelId}`, ...rest }
}

/** A file in an answer as text: JSON has no bytes. */
function withoutBytes(part: ModelContent): ModelContent {
  if (part.type !== 'file' || typeof part.data === 'string') return part
  return { ...part, data: base64Of(part.data) }
}
