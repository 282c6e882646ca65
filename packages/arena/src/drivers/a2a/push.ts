/** Sends and reads push notifications ([OATF §7.2.6](https://oatf.io/specification/protocol-bindings/a2a/)). */
import { within } from '@joust/io'
import { HEADERS } from '@joust/oatf'
import type { Held } from '@joust/results'
import { isRecord, messageOf, own, ownList, ownText, type Value, writeJson } from '@joust/source'
import { isSuccess } from '../../model/http.ts'
import type { DriverContext, Scene } from '../driver.ts'
import { readBody } from '../http-body.ts'
import { readValue } from '../json-rpc.ts'
import { settled } from '../retries.ts'
import { type WrittenHeaders, withWritten, writtenHeaders } from '../written-headers.ts'
import { modernResult, olderResponse } from './versions.ts'

const ACTION = 'send_push_notification'

export interface PushTarget {
  readonly url: string
  readonly config: Value
  readonly isModern: boolean
}

/** Posts a payload to the given URL, otherwise to all registered URLs with allowed hosts. Failures are reported. */
export async function pushNotification(
  context: DriverContext,
  registered: () => readonly PushTarget[],
  value: Value,
  scene: Scene,
  signal: AbortSignal,
): Promise<void> {
  const { stage } = context
  const [url, payload] = [own(value, 'url'), own(value, 'payload')]
  if (payload === undefined || (url !== undefined && typeof url !== 'string'))
    return stage.report('action-malformed', `${ACTION} needs a payload, and the url must be a string`)
  const targets = registered()
  const places = url === undefined ? targets : [targets.find((target) => target.url === url) ?? { ...plain, url }]
  if (places.length === 0) stage.report('push-failed', `${ACTION} has no url, and no client registered one`)
  const written = writtenHeaders(stage, scene, own(value, HEADERS))
  await Promise.all(places.map((place) => deliver(context, place, payload, written, scene, signal)))
}

const plain = { config: null, isModern: false }

async function deliver(
  context: DriverContext,
  target: PushTarget,
  payload: Value,
  written: WrittenHeaders,
  scene: Scene,
  signal: AbortSignal,
): Promise<void> {
  const { stage, clock, limits } = context
  const { url } = target
  if (!context.mayReach(url)) return
  const held = [stage.send(scene, { direction: 'request', flow: 'out', surface: ACTION, content: payload })]
  const call = new AbortController()
  const headers = withWritten(headersFor(target), written)
  const body = writeJson(target.isModern ? modernResult('message/stream', payload) : payload)
  const work = post(context, url, { headers, body }, AbortSignal.any([signal, call.signal]), held).catch(messageOf)
  const late = () =>
    signal.aborted ? 'the run ended before a response arrived' : `no response within ${limits.replyMs / 1000} s`
  const failure = await within(clock, limits.replyMs, work, signal, late)
  call.abort()
  if (failure !== undefined) stage.report('push-failed', `${url}: ${failure}`)
}

/** Returns headers with the credentials that the receiver registered (A2A 1.0, 4.3.3); a token has its own header. */
function headersFor({ config, isModern }: PushTarget): Record<string, string> {
  const authentication = own(config, 'authentication')
  const [scheme] = ownList(authentication, 'schemes')
  const [token, credentials] = [ownText(config, 'token'), ownText(authentication, 'credentials')]
  return {
    'content-type': isModern ? 'application/a2a+json' : 'application/json',
    ...(typeof scheme === 'string' && credentials !== undefined && { authorization: `${scheme} ${credentials}` }),
    ...(token !== undefined && { 'x-a2a-notification-token': token }),
  }
}

/** Resolves to an error message; undefined if the endpoint accepted the notification. */
async function post(
  { stage, outbound, limits }: DriverContext,
  url: string,
  request: { readonly headers: Record<string, string>; readonly body: string },
  signal: AbortSignal,
  held: readonly Held[],
): Promise<string | undefined> {
  const answer = await settled(held, outbound({ method: 'POST', url, ...request, signal }))
  const { text, fault, broken } = await readBody(answer.body, limits.messageBytes)
  if (text !== '') {
    const answered = { direction: 'response', flow: 'in', surface: ACTION, content: text, malformed: fault } as const
    stage.record(stage.scene(), answered)
  }
  if (broken !== undefined) return broken.message
  return isSuccess(answer.status) ? undefined : `HTTP ${answer.status}`
}

/** Converts the notification to A2A 0.3; undefined if the body is not a notification. */
export function readPush(text: string, maxBytes: number, fault?: string): Value | undefined {
  const body = readValue(text, maxBytes, fault)
  if (!body.ok || own(body.value, 'jsonrpc') !== undefined || own(body.value, 'method') !== undefined) return undefined
  if (kinds.has(own(body.value, 'kind'))) return body.value
  const isModern = wrappers.some((key) => isRecord(own(body.value, key)))
  return isModern ? own(olderResponse({ result: body.value }), 'result') : undefined
}

const kinds: ReadonlySet<Value | undefined> = new Set(['task', 'message', 'status-update', 'artifact-update'])
const wrappers = ['task', 'message', 'statusUpdate', 'artifactUpdate']
