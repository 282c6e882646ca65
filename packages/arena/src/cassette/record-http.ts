/** Requests to endpoints that are recorded, with what comes back. */
import { readJson, type Value } from '@joust/source'
import type { HttpCall, HttpSend } from '../model/http.ts'
import { endOf } from './failure.ts'
import { fromPlain } from './plain.ts'
import type { Redact, Take, Tape } from './tape.ts'

/** Headers that let somebody in. */
const SECRET = /auth|cookie|token|secret|credential|api-?key|signature/

/** The same transport; what is asked and answered is kept, without headers that hold secrets. */
export function recordHttp(send: HttpSend, tape: Tape): HttpSend {
  return async (call) => {
    const take = tape.begin('http', requestOf(call), joinChunks)
    try {
      const answer = await send(call)
      const headers = Object.entries(answer.headers).filter(([name]) => !SECRET.test(name))
      take.head({ status: answer.status, headers: Object.fromEntries(headers) })
      return { ...answer, body: tapped(answer.body, take, call.signal) }
    } catch (thrown) {
      take.end(endOf(thrown, call.signal))
      throw thrown
    }
  }
}

/** What tells requests apart. Neither headers nor the query of the address, which may hold a key that changes. */
export function requestOf({ method, url, body }: HttpCall): unknown {
  const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: '', pathname: url }
  const text = body === undefined || typeof body === 'string' ? body : new TextDecoder().decode(body)
  return { method, url: `${origin}${pathname}`, ...(text === undefined ? {} : { body: jsonOr(text) }) }
}

function jsonOr(text: string): Value {
  const json = readJson(text)
  return json.ok ? json.value : text
}

/** No generator: one that was not begun would not tell the body that its reader has left. */
function tapped(body: AsyncIterable<Uint8Array>, take: Take, signal: AbortSignal): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const chunks = body[Symbol.asyncIterator]()
      return {
        async next() {
          try {
            const next = await chunks.next()
            if (next.done) take.end('done')
            else take.part(textOrBytes(next.value))
            return next
          } catch (thrown) {
            take.end(endOf(thrown, signal))
            throw thrown
          }
        },
        async return() {
          take.end('open')
          await chunks.return?.()
          return { done: true, value: undefined }
        },
      }
    },
  }
}

function textOrBytes(chunk: Uint8Array): string | Uint8Array {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(chunk)
  } catch {
    return chunk
  }
}

/** Hides what goes over the edges of chunks: where the body as a whole is changed, it becomes one chunk. */
function joinChunks(parts: readonly Value[], redact: Redact): readonly Value[] {
  const decoder = new TextDecoder()
  const whole = parts.map((part) => decoder.decode(bytesOf(part), { stream: true })).join('') + decoder.decode()
  const hidden = redact(whole)
  return hidden === whole ? parts : [hidden]
}

/** The bytes of a chunk that was recorded. */
export function bytesOf(part: unknown): Uint8Array {
  const chunk = fromPlain(part)
  return chunk instanceof Uint8Array ? chunk : new TextEncoder().encode(String(chunk))
}
