/** Whether a model can be asked at all: one word is enough to detect a wrong key, name or address. */
import { startWithin, systemClock } from '@joust/io'
import type { LanguageModel } from '../model/language-model.ts'
import { runtimeLimits } from '../model/limits.ts'
import { faultOf, ModelTimeout } from './retry.ts'

/** Asks for one word. Returns why nobody will ever answer; undefined where somebody does or may. Never rejects. */
export async function probeModel(
  model: LanguageModel,
  signal: AbortSignal = new AbortController().signal,
): Promise<string | undefined> {
  const { modelRefusalMs } = runtimeLimits
  const ask = (stop: AbortSignal) =>
    model.doGenerate({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Answer with the word ok.' }] }],
      abortSignal: stop,
    })
  try {
    await startWithin(systemClock, modelRefusalMs, [signal], ask, new ModelTimeout(modelRefusalMs))
    return undefined
  } catch (thrown) {
    const { message, retryable } = faultOf(thrown, Date.now())
    return !retryable || isWrongAddress(thrown) ? oneLine(message) : undefined
  }
}

/** Nobody is there, or nobody who speaks TLS with a valid certificate, or `fetch` blocks the port. */
const WRONG_ADDRESS =
  /^(?:ECONNREFUSED|ENOTFOUND|ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)|^bad port$/

/** Whether trying later would not help. Any other failure on the way may go away. */
function isWrongAddress(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  const code = 'code' in thrown ? thrown.code : thrown.message
  if (typeof code === 'string' && WRONG_ADDRESS.test(code)) return true
  return thrown.cause !== undefined && thrown.cause !== thrown && isWrongAddress(thrown.cause)
}

/** OpenSSL ends its messages with a line break. */
function oneLine(message: string): string {
  return message.trim().replaceAll(/\s+/g, ' ')
}
