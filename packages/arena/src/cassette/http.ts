/** Recorded requests to endpoints. */

import { hideSplitSecrets } from '@joust/results'
import { isRecord, own, parseJson, readJson, type Value } from '@joust/source'
import { ArenaError, type ArenaErrorCode } from '../model/errors.ts'
import type { HttpCall, HttpSend } from '../model/http.ts'
import { fromPlain } from './identity.ts'
import { endOf, type RecordedEnd, type RecordedFailure } from './recording.ts'
import type { Replay } from './replay.ts'
import type { Join, Take, Tape } from './tape.ts'

/** Headers with credentials. */
const SECRET = /auth|cookie|token|secret|credential|api-?key|signature/

/** Wraps a transport to record requests and answers, without secret headers. */
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

/** The identity of a request, without headers and query, which may contain a key. */
function requestOf({ method, url, body }: HttpCall): unknown {
  const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: '', pathname: url }
  const text = body === undefined || typeof body === 'string' ? body : new TextDecoder().decode(body)
  return { method, url: `${origin}${pathname}`, ...(text === undefined ? {} : { body: jsonOr(text) }) }
}

function jsonOr(text: string): Value {
  const json = readJson(text)
  return json.ok ? json.value : text
}

/** Not a generator, since one that was never started does not run `finally`. */
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

/** Redacts secrets that cross the boundaries of chunks and events; a changed body becomes one chunk. */
const joinChunks: Join = (parts, redact, secrets) => {
  const decoder = new TextDecoder()
  const whole = parts.map((part) => decoder.decode(bytesOf(part), { stream: true })).join('') + decoder.decode()
  const hidden = hideInEvents(String(redact(whole)), secrets)
  return hidden === whole ? parts : [hidden]
}

/** Redacts secrets that are split across the events of a stream. Other bodies stay as they are. */
function hideInEvents(body: string, secrets: readonly string[]): string {
  // The separators are at odd indices.
  const events = body.split(/(\r\n\r\n|\n\n|\r\r)/)
  const split = hideSplitSecrets<{ readonly place: number; readonly data: Value; readonly isHidden?: true }>(
    {
      secrets,
      streamOf: () => '',
      valueOf: ({ data }) => data,
      hidden: (event, data) => ({ ...event, data, isHidden: true }),
    },
    ({ place, data, isHidden }) => {
      if (isHidden) events[place] = withData(events[place] ?? '', data)
    },
  )
  for (const [place, event] of events.entries()) {
    const lines = [...event.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line)
    const data = parseJson(lines.join('\n'))
    if (data !== undefined) split.push({ place, data })
  }
  split.flush()
  return events.join('')
}

/** Replaces the data of an event in its first data line; the others become comments. */
function withData(event: string, data: Value): string {
  let line = `data: ${JSON.stringify(data)}`
  return event.replaceAll(/^data:.*$/gm, () => {
    const here = line
    line = ':'
    return here
  })
}

function bytesOf(part: unknown): Uint8Array {
  const chunk = fromPlain(part)
  return chunk instanceof Uint8Array ? chunk : new TextEncoder().encode(String(chunk))
}

/** A transport that answers from the recording, without network access. */
export function replayHttp(replay: Replay): HttpSend {
  return async (call) => {
    if (call.signal.aborted) throw new ArenaError('stopped', 'the request was aborted')
    const { head, parts = [], end } = replay.take('http', requestOf(call))
    if (!isRecord(head)) {
      if (typeof end === 'object') throw revived(end)
      return stopped(call)
    }
    const headers = own(head, 'headers')
    return {
      status: Number(own(head, 'status')),
      // Headers were recorded as strings.
      headers: (isRecord(headers) ? headers : {}) as Record<string, string>,
      body: bodyOf(parts, end, call),
    }
  }
}

async function* bodyOf(parts: readonly unknown[], end: RecordedEnd, call: HttpCall): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (call.signal.aborted) throw new ArenaError('stopped', 'the request was aborted')
    yield bytesOf(part)
  }
  if (end === 'done') return
  if (end !== 'open') throw revived(end)
  await stopped(call)
}

/** A request that was open at the end of the recorded run stays open until the end of this run. */
function stopped({ signal }: HttpCall): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new ArenaError('stopped', 'the request was aborted'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

function revived({ code = 'connection_lost', message }: RecordedFailure): ArenaError {
  // Transports reject only with an `ArenaError`.
  return new ArenaError(code as ArenaErrorCode, message)
}
