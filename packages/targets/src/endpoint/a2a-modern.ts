/** Translates A2A 0.3 JSON-RPC requests for agents that support only 1.0 or HTTP+JSON, and responses back. */

import { defaultRunLimits } from '@joust/arena'
import type { HttpAnswer, HttpCall, HttpSend } from '@joust/arena/wire'
import {
  CARD_PATH,
  interfacesIn,
  isEventStream,
  modernRequest,
  olderResponse,
  readEventStream,
  readValue,
  writeEvent,
} from '@joust/arena/wire'
import { createBoundedBytes } from '@joust/io'
import { isRecord, own, type Value, type ValueRecord, writeJson } from '@joust/source'
import { restCall, restError, restResponse } from './a2a-rest.ts'

/** Error codes returned by 1.0 agents for 0.3 methods: method not found, version not supported. */
const refusals: ReadonlySet<Value | undefined> = new Set([-32601, -32009])

/** Status codes returned by agents that do not support JSON-RPC. */
const refusalStatuses: ReadonlySet<number> = new Set([404, 405, 415, 501])

const MAX_BYTES = defaultRunLimits.messageBytes

/** Wraps `send` and translates once the agent has rejected 0.3 over JSON-RPC. `onOther` gets the agent's version. */
export function sendToEither(send: HttpSend, onOther: (version: string) => void): HttpSend {
  let other: Promise<CardAddress | undefined> | undefined
  return async (call) => {
    const request =
      call.method === 'POST' && typeof call.body === 'string' ? readValue(call.body, MAX_BYTES) : undefined
    const translated = request?.ok === true && isRecord(request.value) ? modernRequest(request.value) : undefined
    if (translated === undefined) return send(call)
    const current = await other
    if (current !== undefined) return sendOther(send, call, current, translated)
    const answer = await send(call)
    if (isEventStream(answer)) return answer
    const text = await textOf(answer)
    const untranslated = { ...answer, body: bodyOf(text) }
    if (!isRefusal(answer.status, text)) return untranslated
    other ??= otherAddress(send, call)
    const address = await other
    if (address === undefined) return untranslated
    onOther([address.isOld ? '0.3' : '1.0', ...(address.isRest ? ['over HTTP+JSON'] : [])].join(' '))
    return sendOther(send, call, address, translated)
  }
}

/** A URL in an agent card for any interface other than 0.3 over JSON-RPC. */
interface CardAddress {
  readonly url: string
  readonly isRest: boolean
  /** True for version 0.3, which only needs translation over HTTP+JSON. */
  readonly isOld: boolean
}

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
  const read = readValue(text, MAX_BYTES)
  if (!read.ok || own(read.value, 'jsonrpc') === undefined) return refusalStatuses.has(status)
  return refusals.has(own(own(read.value, 'error'), 'code'))
}

async function otherAddress(send: HttpSend, { url, headers, signal }: HttpCall): Promise<CardAddress | undefined> {
  const answer = await send({ method: 'GET', url: new URL(CARD_PATH, url).href, ...(headers && { headers }), signal })
  const card = readValue(await textOf(answer), MAX_BYTES)
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
  // JSON-RPC errors have status 200.
  return { ...answer, ...(rest !== undefined && { status: 200 }), body: bodyOf(text) }
}

function enveloped(text: string, id: Value, isOld: boolean, status: number): string {
  const read = readValue(text, MAX_BYTES)
  if (read.ok) return writeJson(restResponse(id, isOld, status, read.value))
  return status < 300 ? text : writeJson({ jsonrpc: '2.0', id, error: restError(status, text) })
}

function olderText(text: string): string {
  const read = readValue(text, MAX_BYTES)
  return read.ok ? writeJson(olderResponse(read.value)) : text
}

async function* olderEvents(
  body: HttpAnswer['body'],
  wrap: (text: string, isFailed: boolean) => string,
): AsyncIterable<Uint8Array> {
  for await (const { data, event } of readEventStream(body, MAX_BYTES)) {
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
  const bytes = createBoundedBytes(MAX_BYTES)
  for await (const chunk of body) if (!bytes.add(chunk)) break
  return bytes.text()
}
