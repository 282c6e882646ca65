/** A trace as the diagram reads it: what is known about each message; its content is JSON text until it is opened. */
import type { ResultIndicatorVerdict, TraceEntry } from '@joust/arena'
import { roleOf } from '@joust/oatf'
import { beginning, isList, isRecord, own, ownText, writeJson } from '@joust/source'
import { labelOf } from './label.ts'

/** Messages in order. The trace of a run under way is replaced by a longer one as messages arrive. */
export interface Trace {
  readonly messages: readonly Message[]
  /** The content of each message as JSON on one line. */
  readonly lines: readonly string[]
  /** How many messages after the last one are left out. */
  readonly leftOut?: number
}

/** What is known about a message besides its content. */
export interface Message {
  readonly seq: number
  readonly elapsed: number
  readonly actor: string
  readonly mode: string
  readonly protocol: string
  readonly phase: string
  readonly surface: string
  /** A few words of the content; for a piece of a longer text, the piece. */
  readonly label: string
  /** Set when the actor sent it; otherwise it came from the agent. */
  readonly out?: true
  readonly response?: true
  /** Set when it is not a message by itself but derived from one or several before it. */
  readonly derived?: true
  /** What it is a piece of: a text or a call that is spread over several messages. */
  readonly part?: string
  readonly session?: string
  /** Why it could not be read; the content is its raw text. */
  readonly malformed?: string
  /** Set when it is not a message at all, but a line of the trace that could not be understood. */
  readonly broken?: true
  /** Set when only the beginning of the content is here, as a text: how many characters there are in all. */
  readonly characters?: number
  /** How many messages before it are left out. */
  readonly leftOut?: number
}

/** A trace made from entries, as a run records them. */
export function traceOf(entries: readonly TraceEntry[]): Trace {
  return { messages: entries.map(messageOfEntry), lines: entries.map(({ content }) => writeJson(content)) }
}

/** What is known of an entry. */
export function messageOfEntry(entry: TraceEntry): Message {
  const { seq, elapsed_ms: elapsed, actor, mode, protocol, phase, surface, content, session, malformed } = entry
  const label = labelOf(content)
  return {
    seq,
    elapsed,
    actor,
    mode,
    protocol,
    phase,
    surface,
    label: label.toLowerCase() === surface ? '' : label,
    ...(entry.flow === 'out' ? { out: true } : {}),
    ...(entry.direction === 'response' ? { response: true } : {}),
    ...(entry.derived === true ? { derived: true } : {}),
    ...pieceOf(entry),
    ...(session === undefined ? {} : { session }),
    ...(malformed === undefined ? {} : { malformed }),
  }
}

const LONGEST_PIECE = 200
const STREAMED = /^(text_message|reasoning_message|thinking_text_message|tool_call)_(start|content|args|end|chunk)$/

/** For an event of a text or a call that comes in pieces: which one it belongs to, and its piece. */
function pieceOf({ surface, content, derived }: TraceEntry): { part?: string; label?: string } {
  const kind = STREAMED.exec(surface)?.[1]
  if (kind === undefined || !isRecord(content)) return {}
  const id = ownText(content, kind === 'tool_call' ? 'toolCallId' : 'messageId') ?? ''
  const name = surface === 'tool_call_start' ? own(content, 'toolCallName') : undefined
  const delta = derived === true ? '' : (own(content, 'delta') ?? name)
  const label = typeof delta === 'string' ? beginning(delta, LONGEST_PIECE) : ''
  return { part: `${kind} ${id}`, label }
}

/** The text that pieces make. */
export function wholeText(trace: Trace, places: readonly number[]): string {
  const pieces = places.flatMap((place) => {
    return trace.messages[place]?.derived === true ? [] : (ownText(contentOf(trace, place).value, 'delta') ?? [])
  })
  return pieces.join('')
}

/** The content of a message, and whether it was cut. */
export function contentOf({ messages, lines }: Trace, place: number): { value: unknown; cut: boolean } {
  return { value: parse(lines[place] ?? 'null'), cut: messages[place]?.characters !== undefined }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json, exactly)
  } catch {
    // A reviver runs out of stack before the parser itself does.
    return JSON.parse(json)
  }
}

/** Keeps the digits of a large integer, where the browser provides the source text. */
function exactly(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = typeof value === 'number' && !Number.isSafeInteger(value) ? context?.source : undefined
  return source !== undefined && /^-?[0-9]{16,20}$/.test(source) ? BigInt(source) : value
}

/** The indicators that each message decided, by its `seq`. */
export function evidenceOf(verdicts: readonly ResultIndicatorVerdict[]): ReadonlyMap<number, readonly string[]> {
  const evidence = new Map<number, string[]>()
  for (const { result, entry, indicator_id } of verdicts)
    if (entry !== undefined && result === 'matched')
      evidence.set(entry.seq, [...(evidence.get(entry.seq) ?? []), indicator_id])
  return evidence
}

/** The places of the messages that contain a text, ignoring case. */
export function searchTrace({ messages, lines }: Trace, text: string): ReadonlySet<number> {
  const written = JSON.stringify(text).slice(1, -1).replaceAll('<', '\\u003c').toLowerCase()
  const plain = text.toLowerCase()
  const found = new Set<number>()
  for (const [place, line] of lines.entries()) {
    const lower = line.toLowerCase()
    const surface = messages[place]?.surface.toLowerCase() ?? ''
    // Either as the message says it, or as its JSON is written.
    if (surface.includes(plain) || lower.includes(written) || lower.includes(plain)) found.add(place)
  }
  return found
}

/** What the user's side asked first, according to the messages. */
export function promptIn(trace: Trace): string | undefined {
  const place = trace.messages.findIndex(({ out, response, mode, surface }) => {
    return out === true && response === undefined && roleOf(mode) === 'client' && ASKS.test(surface)
  })
  return place < 0 ? undefined : promptOf(contentOf(trace, place).value)
}

const ASKS = /^(run_agent_input|message\/(send|stream)|tools\/call)$/

function promptOf(content: unknown): string | undefined {
  const messages = own(content, 'messages')
  const user = isList(messages) ? messages.findLast((message) => own(message, 'role') === 'user') : undefined
  const said = own(user, 'content') ?? own(own(content, 'message'), 'parts') ?? own(content, 'arguments')
  if (typeof said === 'string') return said
  if (isList(said)) return said.flatMap((part) => ownText(part, 'text') ?? []).join('\n')
  const texts = Object.values(said ?? {}).filter((value) => typeof value === 'string')
  return texts.length === 0 ? undefined : texts.join('\n')
}
