/** Records and replays one model call attempt in the journal, including errors that are retried. */
import { base64Of, defined } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import { type Journal, journaled } from '../model/journal.ts'
import type { LanguageModel, ModelAnswer, ModelCall, ModelContent } from '../model/language-model.ts'
import { type CallError, ReplayedError } from './retry.ts'

export type Answer = Omit<ModelAnswer, 'warnings'>

interface Attempt {
  readonly model: LanguageModel
  readonly call: ModelCall
  readonly context: Pick<AgentContext, 'budget' | 'signal'>
  readonly journal: Journal | undefined
  send(): Promise<Answer>
  /** Returns the error if the call may be retried. Other errors end the run; the next process tries again. */
  retried(thrown: unknown): CallError | undefined
}

/** A recorded outcome. The journal format requires the name `fault`. */
type Outcome = { readonly answer: Answer } | { readonly fault: CallError }

export async function journaledCall({ model, call, context, journal, send, retried }: Attempt): Promise<Answer> {
  const { budget, signal } = context
  if (journal === undefined) return send()
  let isRecorded = true
  const act = async (): Promise<Outcome> => {
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
  // Calls count when they are sent (decision 0019, OPEN-34), even if the answer was lost.
  const lost = (times: number) => {
    for (let count = 0; count < times; count++) budget.startModelCall()
  }
  const outcome = await journaled(journal, { kind: 'model', request: requestOf(model, call), act, lost })
  // Keeps the position of `sim/scripted`, which counts its answers.
  if (isRecorded && 'skip' in model && typeof model.skip === 'function') model.skip()
  if ('fault' in outcome) throw new ReplayedError(outcome.fault)
  return outcome.answer
}

/** Returns the request to record. Tools are omitted, so that changed descriptions do not invalidate an answer. */
function requestOf({ provider, modelId }: LanguageModel, { tools: _, abortSignal: __, ...rest }: ModelCall): unknown {
  return { model: `${provider}/${modelId}`, ...rest }
}

/** Encodes file content in Base64 for JSON. */
function withoutBytes(part: ModelContent): ModelContent {
  if ((part.type !== 'file' && part.type !== 'reasoning-file') || part.data.type !== 'data') return part
  const { data } = part.data
  return typeof data === 'string' ? part : { ...part, data: { type: 'data', data: base64Of(data) } }
}
