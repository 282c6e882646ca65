/** Whether a model can be asked at all: a wrong key, name or address is known after one word. */
import { startWithin, systemClock } from '@joust/io'
import type { LanguageModel } from '../model/language-model.ts'
import { runtimeLimits } from '../model/limits.ts'
import { faultOf, ModelTimeout } from './retry.ts'

/** Asks for one word. Why nobody will ever answer; undefined where somebody does, or may after a while. Never rejects. */
export async function probeModel(
  model: LanguageModel,
  signal: AbortSignal = new AbortController().signal,
): Promise<string | undefined> {
  const ask = (stop: AbortSignal) =>
    model.doGenerate({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Answer with the word ok.' }] }],
      abortSignal: stop,
    })
  try {
    await startWithin(
      systemClock,
      runtimeLimits.modelRefusalMs,
      [signal],
      ask,
      new ModelTimeout(runtimeLimits.modelRefusalMs),
    )
    return undefined
  } catch (thrown) {
    const { message, retryable } = faultOf(thrown, Date.now())
    return !retryable || isWrongAddress(thrown) ? oneLine(message) : undefined
  }
}

/** Nobody is there, nobody who speaks TLS or can prove who he is, or a port that is never asked. */
const WRONG_ADDRESS =
  /^(?:ECONNREFUSED|ENOTFOUND|ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)|^bad port$/

/** Whether another time would be no better. What else fails on its way may work later. */
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
