/** The entry action `send_push_notification` ([OATF §7.2.6](https://oatf.io/specification/protocol-bindings/a2a/)). */
import { within } from '@joust/io'
import type { Held } from '@joust/results'
import { messageOf, own, type Value, writeJson } from '@joust/source'
import { isSuccess } from '../../model/http.ts'
import type { DriverContext, Scene } from '../driver.ts'
import { readBody } from '../http-body.ts'
import { settled } from '../retries.ts'

const ACTION = 'send_push_notification'

/** The value of the action. */
interface Notification {
  readonly url: string
  readonly payload: Value
}

/** The token that a client registered for a URL. */
type TokenFor = (url: string) => string | undefined

/**
 * Posts a payload as written, if the host is allowed. Resolves after the answer or a timeout; failures are reported.
 */
export async function pushNotification(
  context: DriverContext,
  tokenFor: TokenFor,
  value: Value,
  scene: Scene,
  signal: AbortSignal,
): Promise<void> {
  const { stage, clock, limits } = context
  const notification = read(value)
  if (notification === undefined) return stage.report('action-malformed', `${ACTION} needs a url and a payload`)
  const { url } = notification
  if (!context.mayReach(url)) return
  const message = { direction: 'request', flow: 'out', surface: ACTION, content: notification.payload } as const
  const held = [stage.send(scene, message)]
  const call = new AbortController()
  const work = post(context, tokenFor, notification, AbortSignal.any([signal, call.signal]), held).catch(messageOf)
  const late = () => (signal.aborted ? 'the run ended first' : `no answer within ${limits.replyMs / 1000} s`)
  const failure = await within(clock, limits.replyMs, work, signal, late)
  call.abort()
  if (failure !== undefined) stage.report('push-failed', `${url}: ${failure}`)
}

/** An error message; undefined when the endpoint accepted the notification. */
async function post(
  { stage, outbound, limits }: DriverContext,
  tokenFor: TokenFor,
  { url, payload }: Notification,
  signal: AbortSignal,
  held: readonly Held[],
): Promise<string | undefined> {
  const token = tokenFor(url)
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { 'x-a2a-notification-token': token }),
  }
  const call = outbound({ method: 'POST', url, headers, body: writeJson(payload), signal })
  const answer = await settled(held, call)
  const { text, fault, broken } = await readBody(answer.body, limits.messageBytes)
  if (text !== '') {
    const answered = { direction: 'response', flow: 'in', surface: ACTION, content: text, malformed: fault } as const
    stage.record(stage.scene(), answered)
  }
  if (broken !== undefined) return broken.message
  return isSuccess(answer.status) ? undefined : `HTTP ${answer.status}`
}

function read(value: Value): Notification | undefined {
  const url = own(value, 'url')
  const payload = own(value, 'payload')
  return typeof url === 'string' && payload !== undefined ? { url, payload } : undefined
}
