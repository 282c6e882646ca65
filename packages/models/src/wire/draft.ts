/** Assembles an answer from stream events or from a complete body. */
import { defined, type Value } from '@joust/source'
import type { AnswerCall, Finish, ModelAnswer, Usage } from '../model/call.ts'
import { argumentsOf } from './fields.ts'

/** A tool call whose arguments may arrive in pieces. */
interface DraftCall {
  id: string
  name: string
  group?: string
  json: string
  /** The arguments, if they arrived as a value. */
  input?: Value
}

/** An answer in progress. */
export interface AnswerDraft {
  text: string
  /** Calls by their key in the wire format. */
  readonly calls: Map<string, DraftCall>
  usage: Usage
  word: string | undefined
  /** The response id, if later requests can refer to it. */
  id: string | undefined
  /** The items in the response, by key. */
  readonly items: Map<string, Value>
}

export function emptyDraft(): AnswerDraft {
  return { text: '', calls: new Map(), usage: {}, word: undefined, id: undefined, items: new Map() }
}

/** Sets the finish reason. Keeps the first reason for an incomplete answer, even if later events contradict it. */
export function noteFinish(draft: AnswerDraft, word: Value | undefined): void {
  if (!isFinal(word)) return
  if (draft.word === undefined || finishOf(draft.word).kind === 'complete') draft.word = word
}

/** Merges token counts; later counts replace earlier ones. */
export function noteUsage(
  draft: AnswerDraft,
  counts: { readonly [Name in keyof Usage]: Usage[Name] | undefined },
): void {
  draft.usage = { ...draft.usage, ...defined(counts) }
}

/** Builds the answer. If there is no finish reason, `finish.kind` is `unknown`. */
export function answerOf(draft: AnswerDraft): ModelAnswer {
  const calls = [...draft.calls.values()].map(({ json, input, ...call }): AnswerCall => {
    return { ...call, input: input ?? argumentsOf(json) }
  })
  const { text, usage, word } = draft
  const finish = word === undefined ? ({ kind: 'unknown' } as const) : finishOf(word)
  return { text, calls, finish, ...(Object.keys(usage).length === 0 ? {} : { usage }) }
}

// In lower case, with underscores.
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
    // Error codes.
    ...['content_policy_violation', 'data_inspection_failed'],
  ],
  error: ['error', 'failed', 'cancelled', 'abort', 'malformed_function_call', 'unexpected_tool_call'],
}

// `Object.entries` loses the key type.
const kinds = new Map(
  Object.entries(words).flatMap(([kind, spellings]) => spellings.map((word) => [word, kind as Finish['kind']])),
)

/** Placeholders that servers send in all events except the last. */
const pending: ReadonlySet<string> = new Set(['', 'null', 'not_finished', 'finish_reason_unspecified'])

function isFinal(word: unknown): word is string {
  return typeof word === 'string' && !pending.has(word.toLowerCase())
}

/** Returns the finish kind for a finish reason or an error code. */
export function finishOf(word: string): Finish {
  return { kind: kinds.get(word.toLowerCase().replaceAll('-', '_')) ?? 'unknown', word }
}
