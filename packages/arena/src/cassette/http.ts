/** Requests to endpoints that are recorded, with what comes back. */
import { isRecord, own, parseJson, readJson, type Value } from '@joust/source'
import { ArenaError, type ArenaErrorCode } from '../model/errors.ts'
import type { HttpCall, HttpSend } from '../model/http.ts'
import { hideSplitSecrets } from '../results/split-secrets.ts'
import { fromPlain } from './identity.ts'
import { endOf, type RecordedEnd, type RecordedFailure } from './recording.ts'
import type { Replay } from './replay.ts'
import type { Join, Take, Tape } from './tape.ts'

/** Headers that let somebody in. */
const SECRET = /auth|cookie|token|secret|credential|api-?key|signature/

/** The same transport; requests and answers are kept, without headers that hold secrets. */
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

/** What identifies a request. Neither headers nor the query of the URL count: they may hold a key that changes. */
function requestOf({ method, url, body }: HttpCall): unknown {
  const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: '', pathname: url }
  const text = body === undefined || typeof body === 'string' ? body : new TextDecoder().decode(body)
  return { method, url: `${origin}${pathname}`, ...(text === undefined ? {} : { body: jsonOr(text) }) }
}

function jsonOr(text: string): Value {
  const json = readJson(text)
  return json.ok ? json.value : text
}

/** Not a generator: one that was never started could not tell the body that its reader has left. */
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

/** Hides what crosses the boundaries of chunks and events: where that changes the body, it becomes one chunk. */
const joinChunks: Join = (parts, redact, secrets) => {
  const decoder = new TextDecoder()
  const whole = parts.map((part) => decoder.decode(bytesOf(part), { stream: true })).join('') + decoder.decode()
  const hidden = hideInEvents(String(redact(whole)), secrets)
  return hidden === whole ? parts : [hidden]
}

/** A stream of events can spell a secret out though none of them holds it. What is not such a stream stays as it is. */
function hideInEvents(body: string, secrets: readonly string[]): string {
  // With the empty lines between them, which stand at the odd places.
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

/** An event with other data, in its first line of data; the others become comments. */
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

/** A transport that answers from the recording and reaches nobody. */
export function replayHttp(replay: Replay): HttpSend {
  return async (call) => {
    if (call.signal.aborted) throw new ArenaError('stopped', 'the request was stopped')
    const { head, parts = [], end } = replay.take('http', requestOf(call))
    if (!isRecord(head)) {
      if (typeof end === 'object') throw revived(end)
      return stopped(call)
    }
    const headers = own(head, 'headers')
    return {
      status: Number(own(head, 'status')),
      // They were recorded as texts by name.
      headers: (isRecord(headers) ? headers : {}) as Record<string, string>,
      body: bodyOf(parts, end, call),
    }
  }
}

async function* bodyOf(parts: readonly unknown[], end: RecordedEnd, call: HttpCall): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (call.signal.aborted) throw new ArenaError('stopped', 'the request was stopped')
    yield bytesOf(part)
  }
  if (end === 'done') return
  if (end !== 'open') throw revived(end)
  await stopped(call)
}

/** What had not ended when the recorded run was over does not end before this run is over. */
function stopped({ signal }: HttpCall): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new ArenaError('stopped', 'the request was stopped'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

function revived({ code = 'connection_lost', message }: RecordedFailure): ArenaError {
  // Transports reject only with our errors, so the code is one of ours.
  return new ArenaError(code as ArenaErrorCode, message)
}
