/** One HTTP request and the head of its answer, in bounded time. */
import { within } from '@joust/io'
import { toArenaError } from '../../model/errors.ts'
import type { HttpAnswer, HttpCall, HttpSend } from '../../model/http.ts'
import type { Held } from '../../model/trace-entry.ts'
import type { DriverContext } from '../driver.ts'
import { settled } from '../settled.ts'
import { tryAgain } from '../try-again.ts'

/**
 * Sends a request; a connection that is refused is tried again. Undefined when no answer came in time or the connection
 * broke, which is reported, and when the call was ended from outside. Rejects with an `ArenaError` when the peer cannot be
 * reached at all.
 */
export async function callPeer(
  context: DriverContext,
  send: HttpSend,
  call: HttpCall,
  surface: string,
  held: readonly Held[] = [],
): Promise<HttpAnswer | undefined> {
  const { stage, clock, limits } = context
  const late = new AbortController()
  const signal = AbortSignal.any([call.signal, late.signal])
  const answer = settled(
    held,
    tryAgain({ ...context, report: stage.report }, signal, () => send({ ...call, signal })),
  )
  try {
    return await within(clock, limits.replyMs, answer, call.signal, () => {
      if (!call.signal.aborted) stage.report('reply-missing', `${surface}: no answer within ${limits.replyMs / 1000} s`)
      late.abort()
      return undefined
    })
  } catch (thrown) {
    if (call.signal.aborted) return undefined
    const error = toArenaError('connection_lost', surface, thrown)
    if (error.code === 'connect_failed') throw error
    stage.report('connection-lost', `${surface}: ${error.message}`)
    return undefined
  }
}
