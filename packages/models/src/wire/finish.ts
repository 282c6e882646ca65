/** The finish reasons of providers. */
import type { Finish } from '../model/call.ts'

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
export function isFinal(word: unknown): word is string {
  return typeof word === 'string' && !pending.has(word.toLowerCase())
}

/** Returns the end for a finish reason. */
export function finishOf(word: string): Finish {
  return { kind: kinds.get(word.toLowerCase().replaceAll('-', '_')) ?? 'unknown', word }
}
