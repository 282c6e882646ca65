/** The wire format of a family of providers. */
import type { Value } from '@joust/source'
import type { ModelAnswer, ModelRequest } from '../model/call.ts'
import type { AnswerDraft } from './draft.ts'

/** Properties of the request that an answer repeats; see {@link writeAnswer}. */
export interface WriteOptions {
  /** Distinguishes this answer from others. */
  readonly id: string
  /** The time of the answer in seconds since 1970. */
  readonly seconds: number
  readonly model: string
  /** True if a stream must end with the usage; other wire formats always send it. */
  readonly usage: boolean
}

/** An error of a provider. */
export interface WireError {
  readonly status: number
  readonly message: string
  /** The field of the request with the fault, for formats that name it. */
  readonly param?: string
  readonly code?: string
}

/** One of the four wire formats. */
export interface WireFormat {
  /** Reads the body of a request. */
  readRequest(body: Value, path: string): ModelRequest
  /** Adds a whole answer or an event of a stream to a draft. */
  readPart(part: Value, draft: AnswerDraft): void
  /** True for the event after which agents stop reading the stream. */
  isLast(part: Value): boolean
  /** The answer as one JSON value. */
  writeWhole(answer: ModelAnswer, options: WriteOptions): object
  /** The answer as the events of a stream; a string is written unchanged. */
  writeEvents(answer: ModelAnswer, options: WriteOptions): readonly (object | string)[]
  writeError(error: WireError): object
}

/** Splits a text into the pieces of a stream, word by word. */
export function piecesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\s)(?=\S)/)
}

/** Splits the JSON of arguments into two pieces. */
export function argumentPieces(input: Value): [whole: string, first: string, second: string] {
  const json = typeof input === 'string' ? input : JSON.stringify(input)
  return [json, json.slice(0, json.length >> 1), json.slice(json.length >> 1)]
}
