/** Retries connections that are refused, and requests that a busy agent puts off. */
import { pause, retryAfterMs } from '@joust/io'
import { ArenaError, toArenaError } from '../model/errors.ts'
import type { HttpAnswer } from '../model/http.ts'
import { arenaLimits } from '../model/limits.ts'
import type { Held } from '../model/trace-entry.ts'
import type { DriverContext, Stage } from './driver.ts'
import { readBody } from './http-body.ts'

/** What retrying needs, and whom it tells. */
interface Trying extends Pick<DriverContext, 'clock' | 'limits'> {
  readonly report: Stage['report']
}

/**
 * Sends until there is a connection and the agent is no longer busy (HTTP 429 and 503), as often as the limits allow
 * and no longer than an answer may take; after that, its last answer stands. What may have been handled is not sent
 * again. Rejects with an `ArenaError`.
 */
export async function tryAgain(
  { clock, limits, report }: Trying,
  signal: AbortSignal,
  send: () => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  const deadline = clock.now() + limits.replyMs
  for (let attempt = 0; ; attempt++) {
    let wait = arenaLimits.retryMs * 2 ** attempt
    try {
      const answer = await send()
      if (!isBusy(answer) || attempt >= limits.retries) return answer
      wait = Math.max(wait, retryAfterMs(answer.headers['retry-after'], clock.now()) ?? 0)
      if (signal.aborted || clock.now() + wait >= deadline) return answer
      report('agent-busy', `the agent answered HTTP ${answer.status} and was asked again`)
      // Read, or the connection stays open; nobody waits for it.
      void readBody(answer.body, limits.messageBytes)
    } catch (thrown) {
      const error = toArenaError('connection_lost', 'the request failed', thrown)
      if (error.code !== 'connect_failed' || attempt >= limits.retries || signal.aborted) throw error
    }
    await pause(clock, wait, signal)
  }
}

function isBusy({ status }: HttpAnswer): boolean {
  return status === 429 || status === 503
}

/**
 * Waits for an answer. A connection that was refused or broke off delivered nothing, as far as anybody can tell; an
 * answer that is merely late says nothing about that.
 */
export async function settled<T>(held: readonly Held[], answer: Promise<T>): Promise<T> {
  try {
    const value = await answer
    for (const each of held) each.arrived()
    return value
  } catch (thrown) {
    const isUnknown = thrown instanceof ArenaError && (thrown.code === 'timed_out' || thrown.code === 'stopped')
    for (const each of held) isUnknown ? each.arrived() : each.lost()
    throw thrown
  }
}
