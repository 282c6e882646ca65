/** Writes model answers in the wire format of the request. */
import type { HeaderList, ModelAnswer, ModelRequest, Wire } from '../model/call.ts'
import type { ModelDiagnostic } from '../model/diagnostics.ts'
import { openaiChat } from './openai-chat.ts'
import { formatOf } from './table.ts'
import type { WireError, WriteOptions } from './wire.ts'

/** An HTTP response. */
export interface Reply {
  readonly status: number
  readonly headers: HeaderList
  /** The body, in the chunks to send. */
  readonly pieces: readonly string[]
  /** True if the connection is broken after the last piece. */
  readonly isBroken?: boolean
  readonly diagnostics?: readonly ModelDiagnostic[]
}

/** The parts of a request that determine the form of the answer. */
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
 * Writes an answer, streamed if requested. Paths without a wire format get OpenAI chat completions.
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

/** Creates a JSON response with status 200. */
export function writeJsonReply(value: object): Reply {
  return { status: 200, headers: JSON_TYPE, pieces: [JSON.stringify(value)] }
}

/**
 * Writes an error response.
 *
 * @example
 * const { status, pieces } = writeError('openai-chat', { status: 429, message: 'too many requests' }, { headers: [] })
 */
export function writeError(wire: Wire, error: WireError, more: Pick<Reply, 'headers' | 'diagnostics'>): Reply {
  const format = formatOf(wire) ?? openaiChat
  const pieces = [JSON.stringify(format.writeError(error))]
  return { ...more, status: error.status, headers: [...JSON_TYPE, ...more.headers], pieces }
}

/** Formats a server-sent event, named after its type. */
function eventText(event: object | string): string {
  if (typeof event === 'string') return `data: ${event}\n\n`
  const name = 'type' in event ? `event: ${String(event.type)}\n` : ''
  return `${name}data: ${JSON.stringify(event)}\n\n`
}
