/** The traces shown in diagrams: metadata of each message, with its content as unparsed JSON. */

import { roleOf } from '@joust/oatf'
import type { BaitCall, ResultIndicatorVerdict, TraceEntry } from '@joust/results'
import { beginning, defined, isList, isRecord, own, ownText, writeJson } from '@joust/source'
import { labelOf } from './label.ts'

/** Messages in order. While a trial runs, its trace is replaced with a longer trace as messages arrive. */
export interface Trace {
  readonly messages: readonly Message[]
  /** Content of each message as JSON on one line. */
  readonly lines: readonly string[]
  /** Number of messages that are omitted after the last one. */
  readonly leftOut?: number
  /** The model call with the bait. Absent if the calls to the agent's model were not observed. */
  readonly baitCall?: BaitCall
}

export interface Message {
  readonly seq: number
  readonly elapsed: number
  readonly actor: string
  readonly mode: string
  readonly protocol: string
  readonly phase: string
  readonly surface: string
  /** Short label that is derived from the content. For a chunk of streamed text, the whole chunk. */
  readonly label: string
  /** True if the actor sent the message. Absent if the agent sent it. */
  readonly out?: true
  readonly response?: true
  /** True if the message is derived from earlier messages. */
  readonly derived?: true
  /** Kind and id of the streamed text or tool call to which this chunk belongs. */
  readonly part?: string
  readonly session?: string
  /** Parse error. The content is then the raw text. */
  readonly malformed?: string
  /** True for an invalid trace line. */
  readonly broken?: true
  /** Full length of the content, if it is truncated. Only the start of it is then present, as a string. */
  readonly characters?: number
  /** Number of omitted messages before this one. */
  readonly leftOut?: number
}

export function traceOf(entries: readonly TraceEntry[]): Trace {
  return { messages: entries.map(messageOfEntry), lines: entries.map(({ content }) => writeJson(content)) }
}

export function messageOfEntry(entry: TraceEntry): Message {
  const { seq, elapsed_ms: elapsed, actor, mode, protocol, phase, surface, content, session, malformed } = entry
  const label = labelOf(content)
  return {
    ...{ seq, elapsed, actor, mode, protocol, phase, surface },
    label: label.toLowerCase() === surface ? '' : label,
    ...(entry.flow === 'out' ? { out: true } : {}),
    ...(entry.direction === 'response' ? { response: true } : {}),
    ...(entry.derived === true ? { derived: true } : {}),
    ...pieceOf(entry),
    ...defined({ session, malformed }),
  }
}

const LONGEST_PIECE = 200
const STREAMED = /^(text_message|reasoning_message|thinking_text_message|tool_call)_(start|content|args|end|chunk)$/

function pieceOf({ surface, content, derived }: TraceEntry): { part?: string; label?: string } {
  const kind = STREAMED.exec(surface)?.[1]
  if (kind === undefined || !isRecord(content)) return {}
  const id = ownText(content, kind === 'tool_call' ? 'toolCallId' : 'messageId') ?? ''
  const name = surface === 'tool_call_start' ? own(content, 'toolCallName') : undefined
  const delta = derived === true ? '' : (own(content, 'delta') ?? name)
  const label = typeof delta === 'string' ? beginning(delta, LONGEST_PIECE) : ''
  return { part: `${kind} ${id}`, label }
}

/** Joins the chunks of a streamed text. */
export function wholeText(trace: Trace, places: readonly number[]): string {
  const pieces = places.flatMap((place) => {
    return trace.messages[place]?.derived === true ? [] : (ownText(contentOf(trace, place).value, 'delta') ?? [])
  })
  return pieces.join('')
}

/** Parses the content of a message. `cut` is true if the content is truncated. */
export function contentOf({ messages, lines }: Trace, place: number): { value: unknown; cut: boolean } {
  return { value: parse(lines[place] ?? 'null'), cut: messages[place]?.characters !== undefined }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json, exactly)
  } catch {
    // With a reviver the stack overflows earlier, on less deeply nested JSON.
    return JSON.parse(json)
  }
}

/** Preserves large integers, if the browser passes the source text to the reviver. */
function exactly(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = typeof value === 'number' && !Number.isSafeInteger(value) ? context?.source : undefined
  return source !== undefined && /^-?[0-9]{16,20}$/.test(source) ? BigInt(source) : value
}

/** Returns the indicators that each message decided, by `seq` of the message. */
export function evidenceOf(verdicts: readonly ResultIndicatorVerdict[]): ReadonlyMap<number, readonly string[]> {
  const evidence = new Map<number, string[]>()
  for (const { result, entry, indicator_id } of verdicts)
    if (entry !== undefined && result === 'matched')
      evidence.set(entry.seq, [...(evidence.get(entry.seq) ?? []), indicator_id])
  return evidence
}

/** Returns the indices of messages that contain a text, ignoring case. */
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
