/** Connections that are refused, tried again. */

import { pause } from '@joust/io'
import { toArenaError } from '../model/errors.ts'
import type { HttpAnswer } from '../model/http.ts'
import type { DriverContext } from './driver.ts'

/** How long the first wait is; each further one is twice as long. */
const FIRST_PAUSE_MS = 200

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
    await pause(clock, FIRST_PAUSE_MS * 2 ** attempt, signal)
  }
}
