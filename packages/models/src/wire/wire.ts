/** The interface of wire formats. */
import type { Value } from '@joust/source'
import type { ModelAnswer, ModelRequest } from '../model/call.ts'
import type { AnswerDraft } from './draft.ts'

/** The parts of a written answer that are not in the model answer; see {@link writeAnswer}. */
export interface WriteOptions {
  /** Unique per answer. */
  readonly id: string
  /** Creation time, in seconds since 1970. */
  readonly seconds: number
  readonly model: string
  /** True if a stream must end with the usage. Other formats always send the usage. */
  readonly usage: boolean
}

export interface WireError {
  readonly status: number
  readonly message: string
  /** The invalid request field, for formats that report it. */
  readonly param?: string
  readonly code?: string
}

export interface WireFormat {
  readRequest(body: Value, path: string): ModelRequest
  /** Adds a whole answer or a stream event to a draft. */
  readPart(part: Value, draft: AnswerDraft): void
  /** True for the event after which agents stop reading. */
  isLast(part: Value): boolean
  writeWhole(answer: ModelAnswer, options: WriteOptions): object
  /** Returns the stream events of an answer; a string is written unchanged. */
  writeEvents(answer: ModelAnswer, options: WriteOptions): readonly (object | string)[]
  writeError(error: WireError): object
}

/** Splits a text into stream pieces, word by word. */
export function piecesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\s)(?=\S)/)
}

/** Splits the arguments of a call, as JSON, into two pieces. */
export function argumentPieces(input: Value): [whole: string, first: string, second: string] {
  const json = typeof input === 'string' ? input : JSON.stringify(input)
  return [json, json.slice(0, json.length >> 1), json.slice(json.length >> 1)]
}
