/**
 * Requests of A2A 0.3 over JSON-RPC to an agent that speaks only 1.0, or HTTP+JSON: once it has said so, they are
 * translated, and the answers are translated back.
 */
import { createBoundedBytes } from '@joust/io'
import { isRecord, own, type Value, type ValueRecord, writeJson } from '@joust/source'
import { CARD_PATH, interfacesIn } from '../../drivers/a2a/places.ts'
import { modernRequest, olderResponse } from '../../drivers/a2a/versions.ts'
import { readValue } from '../../drivers/json-rpc.ts'
import type { HttpAnswer, HttpCall, HttpSend } from '../../model/http.ts'
import { defaultRunLimits } from '../../model/limits.ts'
import { isEventStream, readEventStream, writeEvent } from '../../transport/event-stream.ts'
import { restCall, restError, restResponse } from './a2a-rest.ts'

/** How an agent of 1.0 answers a method of 0.3: there is no such method, or the version is not supported. */
const refusals: ReadonlySet<Value | undefined> = new Set([-32601, -32009])

/** How one without JSON-RPC answers: there is nothing here, or not for this. */
const nothingHere: ReadonlySet<number> = new Set([404, 405, 415, 501])

const MOST = defaultRunLimits.messageBytes

/** Sends as `send` does; `onOther` is told once what the agent turns out to speak. */
export function sendToEither(send: HttpSend, onOther: (what: string) => void): HttpSend {
  /** The address that takes translated requests. */
  let other: Promise<CardAddress | undefined> | undefined
  return async (call) => {
    const request = call.method === 'POST' && typeof call.body === 'string' ? readValue(call.body, MOST) : undefined
    const translated = request?.ok === true && isRecord(request.value) ? modernRequest(request.value) : undefined
    if (translated === undefined) return send(call)
    const known = await other
    if (known !== undefined) return sendOther(send, call, known, translated)
    const answer = await send(call)
    if (isEventStream(answer)) return answer
    const text = await textOf(answer)
    const same = { ...answer, body: bodyOf(text) }
    if (!isRefusal(answer.status, text)) return same
    other ??= otherAddress(send, call)
    const address = await other
    if (address === undefined) return same
    onOther([address.isOld ? '0.3' : '1.0', ...(address.isRest ? ['over HTTP+JSON'] : [])].join(' '))
    return sendOther(send, call, address, translated)
  }
}

/** An address that an agent's card gives for something other than JSON-RPC of 0.3. */
interface CardAddress {
  readonly url: string
  readonly isRest: boolean
  /** Whether it is 0.3, which needs a translation only over HTTP+JSON. */
  readonly isOld: boolean
}

/** The best address of a card on the host that the caller has named; undefined where it has none. */
function addressIn(card: Value, base: string): CardAddress | undefined {
  const addresses = interfacesIn(card).flatMap(({ url, transport, version }): CardAddress[] => {
    const isRest = transport === 'HTTP+JSON'
    const isOld = !String(version).startsWith('1.')
    if ((!isRest && (transport !== 'JSONRPC' || isOld)) || typeof url !== 'string' || !URL.canParse(url, base))
      return []
    const address = new URL(url, base)
    return address.host === new URL(base).host ? [{ url: address.href, isRest, isOld }] : []
  })
  return addresses.find(({ isRest }) => !isRest) ?? addresses.find(({ isOld }) => !isOld) ?? addresses[0]
}

function isRefusal(status: number, text: string): boolean {
  const read = readValue(text, MOST)
  if (!read.ok || own(read.value, 'jsonrpc') === undefined) return nothingHere.has(status)
  return refusals.has(own(own(read.value, 'error'), 'code'))
}

async function otherAddress(send: HttpSend, { url, headers, signal }: HttpCall): Promise<CardAddress | undefined> {
  const answer = await send({ method: 'GET', url: new URL(CARD_PATH, url).href, ...(headers && { headers }), signal })
  const card = readValue(await textOf(answer), MOST)
  return card.ok ? addressIn(card.value, url) : undefined
}

async function sendOther(
  send: HttpSend,
  call: HttpCall,
  address: CardAddress,
  request: ValueRecord,
): Promise<HttpAnswer> {
  const headers = { ...call.headers, 'a2a-version': address.isOld ? '0.3' : '1.0' }
  const { url, isRest, isOld } = address
  const rest = isRest ? restCall(url, isOld, request) : undefined
  const { body: _, ...bare } = call
  const answer = await send({ ...bare, headers, ...(rest ?? { url, body: writeJson(request) }) })
  const id = own(request, 'id') ?? null
  const wrap = (text: string, isFailed = false) =>
    rest === undefined ? text : enveloped(text, id, isOld, isFailed ? 500 : answer.status)
  if (isEventStream(answer)) return { ...answer, body: olderEvents(answer.body, wrap) }
  const text = olderText(wrap(await textOf(answer)))
  // Over JSON-RPC, an error is an answer like any other.
  return { ...answer, ...(rest !== undefined && { status: 200 }), body: bodyOf(text) }
}

/** An answer of HTTP+JSON, as JSON-RPC. */
function enveloped(text: string, id: Value, isOld: boolean, status: number): string {
  const read = readValue(text, MOST)
  if (read.ok) return writeJson(restResponse(id, isOld, status, read.value))
  return status < 300 ? text : writeJson({ jsonrpc: '2.0', id, error: restError(status, text) })
}

function olderText(text: string): string {
  const read = readValue(text, MOST)
  return read.ok ? writeJson(olderResponse(read.value)) : text
}

async function* olderEvents(
  body: HttpAnswer['body'],
  wrap: (text: string, isFailed: boolean) => string,
): AsyncIterable<Uint8Array> {
  for await (const { data, event } of readEventStream(body, MOST)) {
    const isFailed = event === 'error'
    const named = event === undefined || isFailed ? {} : { event }
    yield encoder.encode(writeEvent({ data: olderText(wrap(data, isFailed)), ...named }))
  }
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
