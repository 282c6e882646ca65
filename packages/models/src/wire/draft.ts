/** Assembles an answer from the events of a stream, or from a whole body. */
import { defined, type Value } from '@joust/source'
import type { AnswerCall, ModelAnswer, Usage } from '../model/call.ts'
import { argumentsOf } from './fields.ts'
import { finishOf, isFinal } from './finish.ts'

/** A call of a tool whose arguments may come in pieces. */
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
  /** By the key of the call in the wire format. */
  readonly calls: Map<string, DraftCall>
  usage: Usage
  word: string | undefined
  /** The id of a response that later requests can refer to. */
  id: string | undefined
  /** Its items, by their key. */
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
