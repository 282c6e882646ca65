/** Assembles an answer from the events of a stream, or from a whole body. */
import { defined, type Value } from '@joust/source'
import type { AnswerCall, Finish, ModelAnswer, Usage } from '../model/call.ts'
import { argumentsOf } from './fields.ts'

/** A call to a tool whose arguments may come in pieces. */
interface DraftCall {
  id: string
  name: string
  group?: string
  json: string
  /** Arguments that came as a value. */
  input?: Value
}

/** The state of an answer. */
export interface AnswerDraft {
  text: string
  /** Calls by their key in the wire format. */
  readonly calls: Map<string, DraftCall>
  usage: Usage
  word: string | undefined
  /** The id of a response that later requests can refer to. */
  id: string | undefined
  /** The items of the response, by key. */
  readonly items: Map<string, Value>
}

/** Creates an empty draft. */
export function emptyDraft(): AnswerDraft {
  return { text: '', calls: new Map(), usage: {}, word: undefined, id: undefined, items: new Map() }
}

/** Sets the finish reason. The first one that is not complete is kept, because later events may contradict it. */
export function noteFinish(draft: AnswerDraft, word: Value | undefined): void {
  if (!isFinal(word)) return
  if (draft.word === undefined || finishOf(draft.word).kind === 'complete') draft.word = word
}

/** Adds counts; later ones replace earlier ones. */
export function noteUsage(
  draft: AnswerDraft,
  counts: { readonly [Name in keyof Usage]: Usage[Name] | undefined },
): void {
  draft.usage = { ...draft.usage, ...defined(counts) }
}

/** Returns the answer so far; its end is `unknown` without a finish reason. */
export function answerOf(draft: AnswerDraft): ModelAnswer {
  const calls = [...draft.calls.values()].map(({ json, input, ...call }): AnswerCall => {
    return { ...call, input: input ?? argumentsOf(json) }
  })
  const { text, usage, word } = draft
  const finish = word === undefined ? ({ kind: 'unknown' } as const) : finishOf(word)
  return { text, calls, finish, ...(Object.keys(usage).length === 0 ? {} : { usage }) }
}

// In lower case with underscores.
const words: Readonly<Record<Exclude<Finish['kind'], 'unknown'>, readonly string[]>> = {
  complete: [
    ...['stop', 'end_turn', 'stop_sequence', 'eos', 'eos_token', 'completed', 'complete'],
    ...['tool_calls', 'tool_use', 'function_call'],
  ],
  cut: [
    ...['length', 'max_tokens', 'max_output_tokens', 'model_context_window_exceeded', 'incomplete'],
    ...['pause_turn', 'interrupted', 'in_progress', 'queued'],
  ],
  filtered: [
    ...['content_filter', 'refusal', 'safety', 'recitation', 'blocklist', 'prohibited_content', 'spii'],
    ...['image_safety', 'language', 'guardrail_intervened'],
    // Codes of errors.
    ...['content_policy_violation', 'data_inspection_failed'],
  ],
  error: ['error', 'failed', 'cancelled', 'abort', 'malformed_function_call', 'unexpected_tool_call'],
}

// The type of the table names the kinds.
const kinds = new Map(
  Object.entries(words).flatMap(([kind, spellings]) => spellings.map((word) => [word, kind as Finish['kind']])),
)

/** Values that servers send with each event before the last. */
const pending: ReadonlySet<string> = new Set(['', 'null', 'not_finished', 'finish_reason_unspecified'])

/** True for a finish reason. */
function isFinal(word: unknown): word is string {
  return typeof word === 'string' && !pending.has(word.toLowerCase())
}

/** Returns the end for a finish reason, or for the code of an error. */
export function finishOf(word: string): Finish {
  return { kind: kinds.get(word.toLowerCase().replaceAll('-', '_')) ?? 'unknown', word }
}
