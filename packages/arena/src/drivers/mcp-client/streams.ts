/** MCP event streams, with a bounded number of resumptions (`Last-Event-ID`, `retry`). */

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
  /** Maximum number of resumptions without a message in between. */
  readonly retries: number
  readonly signal: AbortSignal
  readonly get: (lastEventId: string | undefined, signal: AbortSignal) => Promise<HttpAnswer>
  /** Called when a stream will not be resumed. */
  readonly onLost: (reason: string) => void
}

export interface Streams {
  /** Reads a request's stream, resuming it if necessary, until it ends or the response arrives. */
  follow(first: HttpAnswer, requestId: number | undefined): Promise<void>
  /** Keeps the standing stream open until the signal fires or the stream is lost. Does not report a missing stream. */
  stand(until: AbortSignal): Promise<void>
}

interface StreamPosition {
  lastEventId?: string
  pauseMs: number
}

export function createStreams(options: StreamOptions): Streams {
  const { clock, inlet, retries, onLost } = options
  const most = arenaLimits.mcpStreamsBegun * (retries + 1)
  let begun = 0
  /** Returns undefined if the attempt fails or is no longer needed. */
  const again = async (
    position: StreamPosition,
    signal: AbortSignal,
    isOver: () => boolean,
  ): Promise<HttpAnswer | undefined> => {
    begun += 1
    await pause(clock, Math.max(position.pauseMs, arenaLimits.mcpShortestStreamMs), signal)
    return isOver() ? undefined : open(options, position, signal)
  }
  const isExhausted = () => begun >= most
  const exhausted = `streams were reopened ${most} times`

  return {
    async follow(first, requestId) {
      const { signal } = options
      const position: StreamPosition = { pauseMs: arenaLimits.mcpStreamMs }
      const isOver = () =>
        signal.aborted || requestId === undefined || !inlet.awaits(requestId) || !position.lastEventId
      await read(options, first, position, requestId)
      for (let remaining = retries; remaining > 0 && !isOver(); remaining--) {
        if (isExhausted()) return onLost(exhausted)
        const answer = await again(position, signal, isOver)
        if (answer === undefined) continue
        if (!isEventStream(answer)) return drop(options, answer)
        if (await read(options, answer, position, requestId)) remaining = retries + 1
      }
    },
    async stand(until) {
      const signal = AbortSignal.any([options.signal, until])
      const position: StreamPosition = { pauseMs: arenaLimits.mcpStreamMs }
      const lose = (reason: string) => {
        if (!signal.aborted) onLost(`the stream of server messages was lost: ${reason}`)
      }
      let answer = await open(options, position, signal)
      let stood = false
      for (let remaining = retries; !signal.aborted; remaining--) {
        if (answer !== undefined && !isEventStream(answer)) {
          drop(options, answer)
          return stood ? lose(`HTTP ${answer.status}`) : undefined
        }
        stood ||= answer !== undefined
        if (answer !== undefined && (await read(options, answer, position))) remaining = retries
        if (remaining <= 0) return lose('too many reconnects without a message')
        if (isExhausted()) return lose(exhausted)
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

/** True if the stream contained a message. */
async function read(
  options: StreamOptions,
  answer: HttpAnswer,
  position: StreamPosition,
  requestId?: number,
): Promise<boolean> {
  let hasMessage = false
  try {
    for await (const { data, id, retry, fault } of readEventStream(answer.body, options.maxBytes)) {
      if (id !== undefined) position.lastEventId = id
      if (retry !== undefined) position.pauseMs = retry
      if (data === '' && fault === undefined) continue
      hasMessage = true
      await options.inlet.take(data, { asked: requestId, fault, headers: answer.headers })
    }
  } catch {
    // A truncated stream counts as ended; the caller decides whether to resume.
  }
  return hasMessage
}

function drop({ maxBytes }: StreamOptions, { body }: HttpAnswer): void {
  void readBody(body, maxBytes)
}
