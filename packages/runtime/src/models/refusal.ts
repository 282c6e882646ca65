/** Whether a model can be asked at all: a wrong key, name or address is known after one word. */
import { startWithin, systemClock } from '@joust/io'
import type { LanguageModel } from '../model/language-model.ts'
import { faultOf, ModelTimeout } from './retry.ts'

/** Who has not answered by then may still answer later. */
const PATIENCE_MS = 30_000

/** Asks for one word. Why nobody will ever answer; undefined where somebody does, or may after a while. Never rejects. */
export async function refusalOf(
  model: LanguageModel,
  signal: AbortSignal = new AbortController().signal,
): Promise<string | undefined> {
  const ask = (stop: AbortSignal) =>
    model.doGenerate({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Answer with the word ok.' }] }],
      abortSignal: stop,
    })
  try {
    await startWithin(systemClock, PATIENCE_MS, [signal], ask, new ModelTimeout(PATIENCE_MS))
    return undefined
  } catch (thrown) {
    const { message, status, retryable } = faultOf(thrown, Date.now())
    if (status !== undefined) return retryable ? undefined : message
    return isNobody(thrown) ? message : undefined
  }
}

/** Nobody is there under this address. What else fails on its way may work at another time. */
function isNobody(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  const code = 'code' in thrown ? thrown.code : undefined
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return true
  return thrown.cause !== undefined && thrown.cause !== thrown && isNobody(thrown.cause)
}
