/** One POST: tried again while nobody listens, waited for no longer than the limit. */
import { within } from '../../clock.ts'
import type { DriverContext } from '../../driver.ts'
import { ArenaError, toArenaError } from '../../errors.ts'
import type { HttpAnswer } from '../../transport/http.ts'
import type { ClientEnd } from '../../wiring.ts'

/** The wait before the first new attempt, in milliseconds; each one after waits twice as long. */
const FIRST_WAIT_MS = 200

/** Where runs are posted to. */
export type HttpEnd = Extract<ClientEnd, { readonly kind: 'http' }>

/** What a POST needs; `call` ends the one, its body included. */
export interface Posting {
  readonly context: DriverContext
  readonly end: HttpEnd
  readonly call: AbortController
}

/** Sends a body and waits for the head of the answer. `sent` is called once, with the first attempt. */
export async function post(posting: Posting, body: string, sent: () => void): Promise<HttpAnswer> {
  const { context, call } = posting
  let attempt = send(posting, body)
  sent()
  for (let tries = 0; ; tries++) {
    const outcome = await attempt
    if (!(outcome instanceof ArenaError)) return outcome
    // Only what never arrived may be sent again.
    if (outcome.code !== 'connect_failed' || tries >= context.limits.retries || call.signal.aborted) throw outcome
    await within(context.clock, FIRST_WAIT_MS * 2 ** tries, new Promise<void>(() => {}), call.signal, () => {})
    attempt = send(posting, body)
  }
}

/** Failures are values, so that nothing rejects unheard while `sent` is called. */
async function send({ context, end, call }: Posting, body: string): Promise<HttpAnswer | ArenaError> {
  const { clock, limits, stage } = context
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream', ...end.headers }
  const answer = end.send({ method: 'POST', url: end.url, headers, body, signal: call.signal }).catch(asError(end.url))
  const late = () => new ArenaError('timed_out', `no answer from ${end.url} within ${limits.replyMs} ms`)
  const outcome = await within<HttpAnswer | ArenaError>(clock, limits.replyMs, answer, call.signal, late)
  if (outcome instanceof ArenaError && outcome.code === 'timed_out' && !call.signal.aborted) {
    stage.report('reply-missing', outcome.message)
    call.abort()
  }
  return outcome
}

function asError(url: string): (thrown: unknown) => ArenaError {
  return (thrown) => toArenaError('connection_lost', `the request to ${url} failed`, thrown)
}
