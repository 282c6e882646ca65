/** One POST: retried while nobody listens or the agent is busy, and waited for no longer than the limit. */
import { within } from '@joust/io'
import { ArenaError } from '../../model/errors.ts'
import type { HttpAnswer } from '../../model/http.ts'
import type { ClientEnd } from '../../model/wiring.ts'
import type { DriverContext } from '../driver.ts'
import { tryAgain } from '../try-again.ts'

/** Where runs are posted to. */
export type HttpEnd = Extract<ClientEnd, { readonly kind: 'http' }>

/** What a POST needs; `call` ends it, body included. */
interface Posting {
  readonly context: DriverContext
  readonly end: HttpEnd
  readonly call: AbortController
}

/** Sends a body and waits for the head of the answer. `sent` is called once, with the first attempt. */
export function post(posting: Posting, body: string, sent: () => void): Promise<HttpAnswer> {
  const { context, call } = posting
  const answer = tryAgain({ ...context, report: context.stage.report }, call.signal, () => send(posting, body))
  sent()
  return answer
}

async function send({ context, end, call }: Posting, body: string): Promise<HttpAnswer> {
  const { clock, limits, stage } = context
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream', ...end.headers }
  const answer = end.send({ method: 'POST', url: end.url, headers, body, signal: call.signal })
  const outcome = await within<HttpAnswer | undefined>(clock, limits.replyMs, answer, call.signal, () => undefined)
  if (outcome !== undefined) return outcome
  const late = new ArenaError('timed_out', `no answer from ${end.url} within ${limits.replyMs} ms`)
  if (!call.signal.aborted) {
    stage.report('reply-missing', late.message)
    call.abort()
  }
  throw late
}
