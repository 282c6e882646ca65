/** The trace model of the diagram: metadata of each message, with its content as unparsed JSON. */

import { roleOf } from '@joust/oatf'
import type { BaitCall, ResultIndicatorVerdict, TraceEntry } from '@joust/results'
import { beginning, isList, isRecord, own, ownText, writeJson } from '@joust/source'
import { labelOf } from './label.ts'

/** Messages in order. The trace of a running trial is replaced by a longer one as messages arrive. */
export interface Trace {
  readonly messages: readonly Message[]
  /** The content of each message as JSON on one line. */
  readonly lines: readonly string[]
  /** The number of omitted messages after the last one. */
  readonly leftOut?: number
  /** The model call with the bait, if the calls to the agent's model were observed. */
  readonly baitCall?: BaitCall
}

/** The metadata of a message. */
export interface Message {
  readonly seq: number
  readonly elapsed: number
  readonly actor: string
  readonly mode: string
  readonly protocol: string
  readonly phase: string
  readonly surface: string
  /** A short label from the content; for a chunk of a streamed text, the whole chunk. */
  readonly label: string
  /** True if the actor sent it, absent if the agent did. */
  readonly out?: true
  readonly response?: true
  /** True if it is derived from previous messages. */
  readonly derived?: true
  /** The kind and id of the streamed text or call to which this chunk belongs. */
  readonly part?: string
  readonly session?: string
  /** The parse error; the content is then the raw text. */
  readonly malformed?: string
  /** True for an invalid line of the trace. */
  readonly broken?: true
  /** The full length of truncated content; only its beginning is present, as a string. */
  readonly characters?: number
  /** The number of omitted messages before it. */
  readonly leftOut?: number
}

/** Converts recorded entries into a trace. */
export function traceOf(entries: readonly TraceEntry[]): Trace {
  return { messages: entries.map(messageOfEntry), lines: entries.map(({ content }) => writeJson(content)) }
}

/** The metadata of an entry. */
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

/** The stream that an event belongs to, and its chunk. */
function pieceOf({ surface, content, derived }: TraceEntry): { part?: string; label?: string } {
  const kind = STREAMED.exec(surface)?.[1]
  if (kind === undefined || !isRecord(content)) return {}
  const id = ownText(content, kind === 'tool_call' ? 'toolCallId' : 'messageId') ?? ''
  const name = surface === 'tool_call_start' ? own(content, 'toolCallName') : undefined
  const delta = derived === true ? '' : (own(content, 'delta') ?? name)
  const label = typeof delta === 'string' ? beginning(delta, LONGEST_PIECE) : ''
  return { part: `${kind} ${id}`, label }
}

/** Joins the chunks of a text. */
export function wholeText(trace: Trace, places: readonly number[]): string {
  const pieces = places.flatMap((place) => {
    return trace.messages[place]?.derived === true ? [] : (ownText(contentOf(trace, place).value, 'delta') ?? [])
  })
  return pieces.join('')
}

/** The parsed content of a message; `cut` is true if it is truncated. */
export function contentOf({ messages, lines }: Trace, place: number): { value: unknown; cut: boolean } {
  return { value: parse(lines[place] ?? 'null'), cut: messages[place]?.characters !== undefined }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json, exactly)
  } catch {
    // A reviver overflows the stack before the parser itself does.
    return JSON.parse(json)
  }
}

/** A reviver that preserves large integers, if the browser provides the source text. */
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

/** The indices of the messages that contain a text, ignoring case. */
export function searchTrace({ messages, lines }: Trace, text: string): ReadonlySet<number> {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('<', '\\u003c').toLowerCase()
  const plain = text.toLowerCase()
  const matches = new Set<number>()
  for (const [place, line] of lines.entries()) {
    const lower = line.toLowerCase()
    const surface = messages[place]?.surface.toLowerCase() ?? ''
    // Matches both the plain text and its JSON escapes.
    if (surface.includes(plain) || lower.includes(escaped) || lower.includes(plain)) matches.add(place)
  }
  return matches
}

/** The first prompt of the user. */
export function promptIn(trace: Trace): string | undefined {
  const place = trace.messages.findIndex(({ out, response, mode, surface }) => {
    return out === true && response === undefined && roleOf(mode) === 'client' && PROMPT_SURFACE.test(surface)
  })
  return place < 0 ? undefined : promptOf(contentOf(trace, place).value)
}

const PROMPT_SURFACE = /^(run_agent_input|message\/(send|stream)|tools\/call)$/

function promptOf(content: unknown): string | undefined {
  const messages = own(content, 'messages')
  const user = isList(messages) ? messages.findLast((message) => own(message, 'role') === 'user') : undefined
  const prompt = own(user, 'content') ?? own(own(content, 'message'), 'parts') ?? own(content, 'arguments')
  if (typeof prompt === 'string') return prompt
  if (isList(prompt)) return prompt.flatMap((part) => ownText(part, 'text') ?? []).join('\n')
  const texts = Object.values(prompt ?? {}).filter((value) => typeof value === 'string')
  return texts.length === 0 ? undefined : texts.join('\n')
}
