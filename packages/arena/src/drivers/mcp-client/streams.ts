/** Event streams of an MCP server, resumed where they broke: `Last-Event-ID`, `retry`, a bounded number of times. */
import { type Clock, pause } from '@joust/io'
import type { HttpAnswer } from '../../model/http.ts'
import { arenaLimits } from '../../model/limits.ts'
import { isEventStream, readEventStream } from '../../transport/event-stream.ts'
import { readBody } from '../http-body.ts'
import type { Inlet } from './link.ts'

interface StreamOptions {
  readonly clock: Clock
  readonly inlet: Inlet
  readonly maxBytes: number
  /** How often a stream is resumed without a message in between. */
  readonly retries: number
  /** Fires when everything has to end. */
  readonly signal: AbortSignal
  /** Asks for a stream by GET, starting after an event. */
  readonly get: (lastEventId: string | undefined, signal: AbortSignal) => Promise<HttpAnswer>
  /** Told that a stream will not be resumed. */
  readonly onLost: (reason: string) => void
}

/** Reads the streams of one server. */
export interface Streams {
  /** Reads the stream that answers a request, with its continuations, until it has ended or the answer has arrived. */
  follow(first: HttpAnswer, asked: number | undefined): Promise<void>
  /**
   * Keeps the stream of GET open until the signal fires; resolves when that is not possible. One that was never
   * available is not missed.
   */
  stand(until: AbortSignal): Promise<void>
}

/** How far a stream has been read. */
interface StreamPosition {
  lastEventId?: string
  pauseMs: number
}

/** Streams of one server. */
export function createStreams(options: StreamOptions): Streams {
  const { clock, inlet, retries, onLost } = options
  const most = arenaLimits.mcpStreamsBegun * (retries + 1)
  let begun = 0
  /** Resumes a stream, after a pause; undefined when that failed this time, or is no longer needed. */
  const again = async (
    position: StreamPosition,
    signal: AbortSignal,
    isOver: () => boolean,
  ): Promise<HttpAnswer | undefined> => {
    begun += 1
    await pause(clock, Math.max(position.pauseMs, arenaLimits.mcpShortestStreamMs), signal)
    return isOver() ? undefined : open(options, position, signal)
  }
  const isEnough = () => begun >= most
  const enough = `streams were reopened ${most} times`

  return {
    async follow(first, asked) {
      const { signal } = options
      const position: StreamPosition = { pauseMs: arenaLimits.mcpStreamMs }
      const isOver = () => signal.aborted || asked === undefined || !inlet.awaits(asked) || !position.lastEventId
      await read(options, first, position, asked)
      for (let left = retries; left > 0 && !isOver(); left--) {
        if (isEnough()) return onLost(enough)
        const answer = await again(position, signal, isOver)
        if (answer === undefined) continue
        if (!isEventStream(answer)) return drop(options, answer)
        if (await read(options, answer, position, asked)) left = retries + 1
      }
    },
    async stand(until) {
      const signal = AbortSignal.any([options.signal, until])
      const position: StreamPosition = { pauseMs: arenaLimits.mcpStreamMs }
      const lose = (reason: string) => {
        if (!signal.aborted) onLost(`the stream of server messages ended for good: ${reason}`)
      }
      let answer = await open(options, position, signal)
      let stood = false
      for (let left = retries; !signal.aborted; left--) {
        if (answer !== undefined && !isEventStream(answer)) {
          drop(options, answer)
          return stood ? lose(`HTTP ${answer.status}`) : undefined
        }
        stood ||= answer !== undefined
        if (answer !== undefined && (await read(options, answer, position))) left = retries
        if (left <= 0) return lose('it could not be kept open')
        if (isEnough()) return lose(enough)
        answer = await again(position, signal, () => signal.aborted)
      }
    },
  }
}

async function open(options: StreamOptions, { lastEventId }: StreamPosition, signal: AbortSignal) {
  try {
    return await options.get(lastEventId === '' ? undefined : lastEventId, signal)
  } catch {
    return undefined
  }
}

/** Reads to the end, whatever that is; true when there was a message. */
async function read(
  options: StreamOptions,
  answer: HttpAnswer,
  position: StreamPosition,
  asked?: number,
): Promise<boolean> {
  let heard = false
  try {
    for await (const { data, id, retry, fault } of readEventStream(answer.body, options.maxBytes)) {
      if (id !== undefined) position.lastEventId = id
      if (retry !== undefined) position.pauseMs = retry
      if (data === '' && fault === undefined) continue
      heard = true
      await options.inlet.take(data, { asked, fault })
    }
  } catch {
    // A stream that breaks off has ended: its reader decides what that means.
  }
  return heard
}

/** Discards an answer that is not a stream: most servers say that they have none. */
function drop({ maxBytes }: StreamOptions, { body }: HttpAnswer): void {
  void readBody(body, maxBytes)
}
