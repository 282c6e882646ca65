/** Event streams of an MCP server, begun again where they broke off: `Last-Event-ID`, `retry`, a bounded number of times. */
import type { Clock } from '../../clock.ts'
import { readEventStream } from '../../transport/event-stream.ts'
import type { HttpAnswer } from '../../transport/http.ts'
import { readBody } from './body.ts'
import type { Inlet } from './link.ts'

/** How long to wait before a stream is begun again when the server does not say. */
const PAUSE_MS = 1000

/** What streams work with. */
export interface StreamOptions {
  readonly clock: Clock
  readonly inlet: Inlet
  readonly maxBytes: number
  /** How often a stream is begun again without a message in between. */
  readonly retries: number
  /** Fires when all is to end. */
  readonly signal: AbortSignal
  /** Asks for a stream by GET, from an event on. */
  readonly get: (lastEventId: string | undefined) => Promise<HttpAnswer>
}

/** Reads the streams of one server. */
export interface Streams {
  /** Reads the stream that answers a request, with its continuations, until it has ended or the answer is there. */
  follow(first: HttpAnswer, asked: number | undefined): Promise<void>
  /** Keeps the stream of GET open; resolves with why it could not be, or with undefined when it was never to be had. */
  stand(): Promise<string | undefined>
}

/** How far a stream has been read. */
interface Place {
  lastEventId?: string
  pauseMs: number
}

/** Whether an answer is a stream of events. */
export function isEventStream({ headers }: HttpAnswer): boolean {
  return (headers['content-type'] ?? '').trim().toLowerCase().startsWith('text/event-stream')
}

/** Waits, unless the signal fires. */
export function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.setTimer(milliseconds, done)
    signal.addEventListener('abort', done)
  })
}

/** Streams of one server. */
export function createStreams(options: StreamOptions): Streams {
  const { clock, inlet, signal, retries } = options

  const open = async ({ lastEventId }: Place): Promise<HttpAnswer | undefined> => {
    try {
      return await options.get(lastEventId === '' ? undefined : lastEventId)
    } catch {
      return undefined
    }
  }

  return {
    async follow(first, asked) {
      const place: Place = { pauseMs: PAUSE_MS }
      const isOver = () => signal.aborted || asked === undefined || !inlet.awaits(asked) || !place.lastEventId
      await read(options, first, place, asked)
      for (let left = retries; left > 0 && !isOver(); left--) {
        await pause(clock, place.pauseMs, signal)
        const answer = isOver() ? undefined : await open(place)
        if (answer === undefined) continue
        if (!isEventStream(answer)) return drop(options, answer)
        if (await read(options, answer, place, asked)) left = retries + 1
      }
    },
    async stand() {
      const place: Place = { pauseMs: PAUSE_MS }
      let stood = false
      for (let left = retries; !signal.aborted; left--) {
        const answer = await open(place)
        if (answer !== undefined && !isEventStream(answer)) {
          drop(options, answer)
          return stood ? `HTTP ${answer.status}` : undefined
        }
        if (answer !== undefined) {
          stood = true
          if (await read(options, answer, place)) left = retries
        }
        if (left <= 0) return 'it could not be kept open'
        await pause(clock, place.pauseMs, signal)
      }
      return undefined
    },
  }
}

/** Reads to the end, however it comes; true when there was a message. */
async function read(options: StreamOptions, answer: HttpAnswer, place: Place, asked?: number): Promise<boolean> {
  const origin = asked === undefined ? {} : { asked }
  let heard = false
  try {
    for await (const { data, id, retry, fault } of readEventStream(answer.body, options.maxBytes)) {
      if (id !== undefined) place.lastEventId = id
      if (retry !== undefined) place.pauseMs = retry
      if (data === '' && fault === undefined) continue
      heard = true
      await options.inlet.take(data, fault === undefined ? origin : { ...origin, fault })
    }
  } catch {
    // A stream that breaks off has ended: what that means is for whoever reads it to say.
  }
  return heard
}

/** Lets go of an answer that is no stream: most servers say that they have none. */
function drop({ maxBytes }: StreamOptions, { body }: HttpAnswer): void {
  void readBody(body, maxBytes)
}
