/** The entry action `send_push_notification` (§7.2.6). */
import { within } from '@joust/io'
import { messageOf, own, type Value, writeJson } from '@joust/source'
import { isSuccess } from '../../model/http.ts'
import type { Held } from '../../model/trace-entry.ts'
import type { DriverContext, Scene } from '../driver.ts'
import { readBody } from '../http-body.ts'
import { settled } from '../try-again.ts'

const ACTION = 'send_push_notification'

/** What the binding asks to be sent. */
interface Notification {
  readonly url: string
  readonly payload: Value
}

/** The token that the owner of an address expects to see. */
type TokenFor = (url: string) => string | undefined

/**
 * Posts a payload as it is, where the run allows it. Resolves when the endpoint has answered or was given up on;
 * failures are reported.
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

/** Why the endpoint did not accept it; undefined when it did. */
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
