/** Writes answers in the requested format. */
import type { HeaderList, ModelAnswer, ModelRequest, Wire } from '../model/call.ts'
import type { ModelDiagnostic } from '../model/diagnostics.ts'
import { openaiChat } from './openai-chat.ts'
import { formatOf } from './table.ts'
import type { WireError, WriteOptions } from './wire.ts'

/** An answer over HTTP. */
export interface Reply {
  readonly status: number
  readonly headers: HeaderList
  /** The body, in the pieces in which it is sent. */
  readonly pieces: readonly string[]
  /** True if the connection breaks after the last piece. */
  readonly isBroken?: boolean
  readonly diagnostics?: readonly ModelDiagnostic[]
}

/** The request that an answer belongs to. */
export interface AnsweredRequest extends Pick<ModelRequest, 'streamed'> {
  readonly wire: Wire
  readonly path: string
}

const JSON_TYPE: HeaderList = [['content-type', 'application/json']]
const EVENTS_TYPE: HeaderList = [
  ['content-type', 'text/event-stream; charset=utf-8'],
  ['cache-control', 'no-cache'],
]

/**
 * Writes an answer, whole or streamed as requested; a path without a wire format gets the most common one.
 *
 * @example
 * const request = { wire: 'openai-chat', path: '/v1/chat/completions', streamed: false } as const
 * const answer = { text: 'Hello', calls: [], finish: { kind: 'complete' } } as const
 * const { pieces } = writeAnswer(request, answer, { id: '1', seconds: 0, model: 'm', usage: true })
 */
export function writeAnswer(request: AnsweredRequest, answer: ModelAnswer, options: WriteOptions): Reply {
  const format = formatOf(request.wire) ?? openaiChat
  if (!request.streamed) return writeJsonReply(format.writeWhole(answer, options))
  const events = format.writeEvents(answer, options)
  if (request.wire === 'gemini' && !/[?&]alt=sse\b/.test(request.path)) {
    const items = events.map((event, index) => `${index === 0 ? '[' : ',\r\n'}${JSON.stringify(event)}`)
    return { status: 200, headers: JSON_TYPE, pieces: [...items, ']'] }
  }
  return { status: 200, headers: EVENTS_TYPE, pieces: events.map(eventText) }
}

/** Writes a successful answer in JSON. */
export function writeJsonReply(value: object): Reply {
  return { status: 200, headers: JSON_TYPE, pieces: [JSON.stringify(value)] }
}

/**
 * Writes an error.
 *
 * @example
 * const { status, pieces } = writeError('openai-chat', { status: 429, message: 'too many requests' }, { headers: [] })
 */
export function writeError(wire: Wire, error: WireError, more: Pick<Reply, 'headers' | 'diagnostics'>): Reply {
  const format = formatOf(wire) ?? openaiChat
  const pieces = [JSON.stringify(format.writeError(error))]
  return { ...more, status: error.status, headers: [...JSON_TYPE, ...more.headers], pieces }
}

/** Writes a server-sent event; its name is the type of the event, if any. */
function eventText(event: object | string): string {
  if (typeof event === 'string') return `data: ${event}\n\n`
  const name = 'type' in event ? `event: ${String(event.type)}\n` : ''
  return `${name}data: ${JSON.stringify(event)}\n\n`
}
