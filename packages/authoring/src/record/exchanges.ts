/** Interprets one HTTP request and its response: JSON-RPC, A2A over HTTP+JSON, or an AG-UI run. */
import { createEventStream, type EventStream, restRequest } from '@joust/arena/wire'
import type { ExchangeEnd } from '@joust/models'
import { cut, isList, isRecord, ownText, type Result, readJson, type Value, withLimits } from '@joust/source'
import { type Dialogue, entryOf, olderContent, type Peer, type Place, streamedNames } from './dialogue.ts'
import { recordLimits } from './limits.ts'
import type { RecordedMessage, Tape } from './tape.ts'

export interface RecordedExchange {
  /** Receives the request body, which may be empty. */
  request(text: string, fault?: string): void
  /** Receives the status and session of the response. */
  answered(status: number, session: string | undefined): void
  /** Receives an event of a streamed response, or the whole response body. */
  message(text: string, fault?: string): void
  end(how: ExchangeEnd): void
}

/**
 * Records JSON-RPC messages: MCP over Streamable HTTP, or A2A. Other content at another path of the server is not
 * recorded, because it may be a token request.
 */
export function jsonRpcExchange(
  dialogue: Dialogue,
  exchange: string,
  asked: string | undefined,
  isElsewhere: boolean,
): RecordedExchange {
  let place: Place = { exchange, session: asked }
  let status = 200
  let isLeftOut = false
  return {
    request(text, fault) {
      isLeftOut = isElsewhere && !isRpc(text)
      if (text.trim() !== '' && !isLeftOut) dialogue.take('caller', text, place, fault)
    },
    answered(code, session) {
      status = code
      place = { exchange, session: session ?? asked }
    },
    message(text, fault) {
      if (text.trim() === '' || isLeftOut) return
      if (status < 400 || isRpc(text)) return dialogue.take('callee', text, place, fault)
      const surface = dialogue.unanswered(exchange)?.method ?? ''
      const content = { code: status, message: cut(text, recordLimits.errorText) }
      dialogue.derive('callee', { direction: 'response', surface, content }, place)
    },
    end(how) {
      const open = dialogue.unanswered(exchange)
      if (how === 'whole' || open === undefined) return
      // Since MCP 2026-07-28, clients cancel a request by closing the connection.
      if (how === 'left') {
        const content = {
          requestId: open.id,
          reason: 'the caller closed the connection before the response was complete',
        }
        return dialogue.derive('caller', { direction: 'request', surface: 'notifications/cancelled', content }, place)
      }
      const message = how === 'broken' ? 'the connection was lost during the response' : 'no response'
      dialogue.derive('callee', { direction: 'response', surface: open.method, content: { message } }, place)
    },
  }
}

/** Records A2A over HTTP+JSON, where the path specifies the method, and bodies are params and results. */
export function restExchange(
  peer: Peer,
  tape: Tape,
  place: Parameters<typeof restRequest>[0],
): RecordedExchange | undefined {
  let asked = restRequest(place, {})
  if (asked === undefined) return undefined
  let status = 200
  let isAnswered = false
  const record = (
    side: 'caller' | 'callee',
    message: Pick<RecordedMessage, 'direction' | 'surface' | 'content'> & Partial<RecordedMessage>,
  ) => tape.record({ ...entryOf(peer, side), ...message })
  const answer = (surface: string, content: Value, more: Partial<RecordedMessage> = {}) => {
    isAnswered = true
    record('callee', { direction: 'response', surface, content, ...(asked && { request: asked.params }), ...more })
  }
  return {
    request(text, fault) {
      const body: Result<Value, unknown> = text.trim() === '' ? { ok: true, value: {} } : parse(text)
      if (fault !== undefined || !body.ok)
        return record('caller', { direction: 'request', surface: '', content: text, malformed: fault ?? 'not JSON' })
      asked = restRequest(place, body.value) ?? asked
      if (asked) record('caller', { direction: 'request', surface: asked.method, content: asked.params })
    },
    answered(code) {
      status = code
    },
    message(text, fault) {
      if (text.trim() === '' || asked === undefined) return
      const body = parse(text)
      if (status >= 400) return answer(asked.method, { code: status, message: cut(text, recordLimits.errorText) })
      if (fault !== undefined || !body.ok) return answer('', text, { malformed: fault ?? 'not JSON' })
      const content = olderContent(body.value)
      for (const surface of [asked.method, ...streamedNames(peer, content)]) answer(surface, content)
    },
    end(how) {
      if (how === 'whole' || isAnswered || asked === undefined) return
      answer(asked.method, { message: 'incomplete response' }, { derived: true })
    },
  }
}

function isRpc(text: string): boolean {
  const read = parse(text)
  const [first] = read.ok && isList(read.value) ? read.value : [read.ok ? read.value : null]
  return isRecord(first) && Object.hasOwn(first, 'jsonrpc')
}

/** Records an AG-UI run: its input, its events, and the events derived from them. */
export function agUiExchange(peer: Peer, tape: Tape): RecordedExchange {
  let stream: EventStream | undefined
  let session: { readonly session?: string } = {}
  const report = (events: ReturnType<EventStream['end']>) => {
    for (const { name, content, args, derived } of events) {
      const more = { ...(args !== undefined && { arguments: args }), ...(derived && { derived: true as const }) }
      tape.record({ ...entryOf(peer, 'callee'), direction: 'response', surface: name, content, ...more, ...session })
    }
  }
  const malformed = (side: 'caller' | 'callee', content: string, reason: string) => {
    const direction = side === 'caller' ? 'request' : 'response'
    tape.record({ ...entryOf(peer, side), direction, surface: '', content, malformed: reason, ...session })
  }
  return {
    request(text, fault) {
      if (text.trim() === '') return
      const input = parse(text)
      if (fault !== undefined || !input.ok) return malformed('caller', text, fault ?? 'not JSON')
      const thread = ownText(input.value, 'threadId')
      session = thread === undefined ? {} : { session: thread }
      stream = createEventStream(input.value)
      const entry = { direction: 'request', surface: 'run_agent_input', content: input.value } as const
      tape.record({ ...entryOf(peer, 'caller'), ...entry, ...session })
    },
    answered() {},
    message(text, fault) {
      if (text.trim() === '') return
      const event = parse(text)
      if (fault !== undefined || !event.ok || !isRecord(event.value))
        return malformed('callee', text, fault ?? 'not a JSON object')
      report(stream?.hear(event.value) ?? [])
    },
    end: () => report(stream?.end() ?? []),
  }
}

const limits = withLimits({ yamlBytes: recordLimits.messageBytes })

function parse(text: string): Result<Value, unknown> {
  return readJson(text, limits)
}
