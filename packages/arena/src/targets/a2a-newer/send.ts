/** Requests of A2A 0.3 to an agent that speaks only 1.0: translated once it has said so, in both directions. */
import { createBoundedBytes } from '@joust/io'
import { isList, isRecord, own, type Value, writeJson } from '@joust/source'
import { CARD_PATH } from '../../drivers/a2a/well-known.ts'
import { isEventStream } from '../../drivers/is-event-stream.ts'
import { readValue } from '../../drivers/json-rpc.ts'
import type { HttpAnswer, HttpCall, HttpSend } from '../../model/http.ts'
import { defaultRunLimits } from '../../model/limits.ts'
import { readEventStream, writeEvent } from '../../transport/event-stream.ts'
import { newerRequest, olderResponse } from './translate.ts'

/** What an agent of 1.0 says to a method of 0.3: it is not there, or the version is not spoken. */
const refusals: ReadonlySet<Value | undefined> = new Set([-32601, -32009])

const MOST = defaultRunLimits.messageBytes

/** Sends as `send` does; `onNewer` is told once when the agent turns out to speak 1.0. */
export function sendToEither(send: HttpSend, onNewer: () => void): HttpSend {
  /** Where it is spoken to by 1.0. */
  let newer: Promise<string | undefined> | undefined
  return async (call) => {
    const request = call.method === 'POST' && typeof call.body === 'string' ? readValue(call.body, MOST) : undefined
    const translated = request?.ok === true && isRecord(request.value) ? newerRequest(request.value) : undefined
    if (translated === undefined) return send(call)
    const url = await newer
    if (url !== undefined) return sendNewer(send, call, url, translated)
    const answer = await send(call)
    if (isEventStream(answer)) return answer
    const text = await textOf(answer)
    const same = { ...answer, body: bodyOf(text) }
    const read = readValue(text, MOST)
    const error = read.ok && isRecord(read.value) ? own(read.value, 'error') : undefined
    if (!isRecord(error) || !refusals.has(own(error, 'code'))) return same
    newer ??= newerPlace(send, call)
    const place = await newer
    if (place === undefined) return same
    onNewer()
    return sendNewer(send, call, place, translated)
  }
}

/** Where the card says that 1.0 is spoken; only at the host that the caller has named. */
async function newerPlace(send: HttpSend, { url, headers, signal }: HttpCall): Promise<string | undefined> {
  const answer = await send({ method: 'GET', url: new URL(CARD_PATH, url).href, ...(headers && { headers }), signal })
  const card = readValue(await textOf(answer), MOST)
  const interfaces = card.ok && isRecord(card.value) ? own(card.value, 'supportedInterfaces') : undefined
  const [place] = (isList(interfaces) ? interfaces : []).flatMap((one) => {
    if (!isRecord(one) || own(one, 'protocolBinding') !== 'JSONRPC') return []
    const [version, at] = [own(one, 'protocolVersion'), own(one, 'url')]
    return String(version).startsWith('1.') && typeof at === 'string' && URL.canParse(at, url) ? [new URL(at, url)] : []
  })
  return place?.host === new URL(url).host ? place.href : undefined
}

async function sendNewer(send: HttpSend, call: HttpCall, url: string, request: Value): Promise<HttpAnswer> {
  const headers = { ...call.headers, 'a2a-version': '1.0' }
  const answer = await send({ ...call, url, headers, body: writeJson(request) })
  if (isEventStream(answer)) return { ...answer, body: olderEvents(answer.body) }
  const text = await textOf(answer)
  return { ...answer, body: bodyOf(olderText(text)) }
}

function olderText(text: string): string {
  const read = readValue(text, MOST)
  return read.ok ? writeJson(olderResponse(read.value)) : text
}

async function* olderEvents(body: HttpAnswer['body']): AsyncIterable<Uint8Array> {
  for await (const { data, event } of readEventStream(body, MOST))
    yield encoder.encode(writeEvent({ data: olderText(data), ...(event !== undefined && { event }) }))
}

const encoder = new TextEncoder()

async function* bodyOf(text: string): AsyncIterable<Uint8Array> {
  yield encoder.encode(text)
}

async function textOf({ body }: HttpAnswer): Promise<string> {
  const bytes = createBoundedBytes(MOST)
  for await (const chunk of body) if (!bytes.add(chunk)) break
  return bytes.text()
}
