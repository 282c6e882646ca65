import { pause, retryAfterMs } from '@joust/io'
import type { Held } from '@joust/results'
import { ArenaError, toArenaError } from '../model/errors.ts'
import type { HttpAnswer } from '../model/http.ts'
import { arenaLimits } from '../model/limits.ts'
import type { DriverContext, Stage } from './driver.ts'
import { readBody } from './http-body.ts'

interface RetryContext extends Pick<DriverContext, 'clock' | 'limits'> {
  readonly report: Stage['report']
}

/**
 * Sends a request, with retries while the connection is refused or the agent is busy (HTTP 429 and 503), up to the
 * retry limit and the reply timeout. Returns the last response. A request that may have been handled is not retried.
 * Rejects with an `ArenaError`.
 */
export async function withRetries(
  { clock, limits, report }: RetryContext,
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
      report('agent-busy', `the agent was busy (HTTP ${answer.status}); the request was retried`)
      // Drain the body, or the connection stays open.
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

/** Marks held messages as arrived after a success, timeout or stop, and as lost after any other error. */
export async function settled<T>(held: readonly Held[], answer: Promise<T>): Promise<T> {
  try {
    const value = await answer
    for (const message of held) message.arrived()
    return value
  } catch (thrown) {
    const isUnknown = thrown instanceof ArenaError && (thrown.code === 'timed_out' || thrown.code === 'stopped')
    for (const message of held) isUnknown ? message.arrived() : message.lost()
    throw thrown
  }
}
