/** One HTTP request and the head of its answer, in bounded time. */
import { type Clock, within } from '../../clock.ts'
import type { DriverContext } from '../../driver.ts'
import { ArenaError } from '../../errors.ts'
import type { HttpAnswer, HttpCall, HttpSend } from '../../transport/http.ts'

const FIRST_PAUSE_MS = 200

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
): Promise<HttpAnswer | undefined> {
  const { stage, clock, limits } = context
  const late = new AbortController()
  const signal = AbortSignal.any([call.signal, late.signal])
  try {
    return await within(clock, limits.replyMs, reach(context, send, { ...call, signal }), call.signal, () => {
      if (!call.signal.aborted) stage.report('reply-missing', `${surface}: no answer within ${limits.replyMs / 1000} s`)
      late.abort()
      return undefined
    })
  } catch (thrown) {
    if (call.signal.aborted) return undefined
    if (!(thrown instanceof ArenaError) || thrown.code === 'connect_failed') throw thrown
    stage.report('connection-lost', `${surface}: ${thrown.message}`)
    return undefined
  }
}

async function reach({ clock, limits }: DriverContext, send: HttpSend, call: HttpCall): Promise<HttpAnswer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send(call)
    } catch (thrown) {
      const refused = thrown instanceof ArenaError && thrown.code === 'connect_failed'
      if (!refused || attempt >= limits.retries || call.signal.aborted) throw thrown
    }
    await pause(clock, FIRST_PAUSE_MS * 2 ** attempt, call.signal)
  }
}

function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return within(clock, milliseconds, new Promise<never>(() => {}), signal, () => {})
}
