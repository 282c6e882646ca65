/** Connections that are refused, tried again. */

import { pause } from '@joust/io'
import { toArenaError } from '../model/errors.ts'
import type { HttpAnswer } from '../model/http.ts'
import { bounds } from '../model/limits.ts'
import type { DriverContext } from './driver.ts'

/**
 * Sends until there is a connection, as often as the limits allow. What may have reached the peer is not sent again.
 * Rejects with an `ArenaError`.
 */
export async function tryAgain(
  { clock, limits }: Pick<DriverContext, 'clock' | 'limits'>,
  signal: AbortSignal,
  send: () => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send()
    } catch (thrown) {
      const error = toArenaError('connection_lost', 'the request failed', thrown)
      if (error.code !== 'connect_failed' || attempt >= limits.retries || signal.aborted) throw error
    }
    await pause(clock, bounds.retryMs * 2 ** attempt, signal)
  }
}
