/** Recordings of model calls, as JSON lines: a header that identifies the run, then a line for each exchange. */
import { closeSync, fstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder, openToWrite, readBounded, strictText, writeAll } from '@joust/io'
import { checkShape, defined, messageOf, own, parseJson, shapes } from '@joust/source'
import type { Exchange, ExchangeEnd } from '../model/call.ts'
import { ModelsError } from '../model/errors.ts'
import { modelLimits } from '../model/limits.ts'

/** The format version; recordings with other versions are rejected. */
const VERSION = 1
const MARK = '{"joust_model_calls":'

/** Redacts a path, a header or a body. */
export type Redact = (text: string) => string

/** The run that a recording belongs to. */
export interface RecordingScope {
  /** The attack file, or another name for the run. */
  readonly attack: string
  /** The document fingerprint; absent for calls that belong to no document, such as those of a judge. */
  readonly fingerprint?: string
  readonly trial: number
  /** The fresh canaries of this run, by the token they replace. */
  readonly canaries?: Readonly<Record<string, string>>
}

/** One exchange in a recording. */
export interface RecordedExchange {
  readonly sequence: number
  readonly method: string
  readonly path: string
  readonly request: string
  /** 0 if the agent disconnected before the response began. */
  readonly status: number
  readonly headers: readonly (readonly string[])[]
  readonly answer: string
  readonly end: ExchangeEnd
}

/** Options for {@link openRecording}. */
export interface RecordingOptions {
  /** The run that the recording belongs to; absent for calls outside any run. @default none */
  readonly scope?: RecordingScope
  /**
   * Continues a recording instead of replacing it.
   *
   * @default false
   */
  readonly append?: boolean
  /** Redacts all written text. @default nothing is redacted */
  readonly redact?: Redact
}

/** A writer of exchanges to a file. */
export interface RecordingWriter {
  /** Writes an exchange; returns false if the request or response body is missing. Throws a `ModelsError`. */
  write(exchange: Exchange): boolean
  close(): void
}

/**
 * Creates or continues a recording. Throws a `ModelsError`.
 *
 * @example
 * const writer = openRecording('recordings/mine.jsonl', { scope: { attack: 'mine', trial: 1 } })
 */
export function openRecording(path: string, options: RecordingOptions = {}): RecordingWriter {
  const { scope, append = false, redact = (text) => text } = options
  const attempt = <T>(work: () => T): T => {
    try {
      return work()
    } catch (cause) {
      throw new ModelsError('recording_failed', `cannot write ${path}: ${messageOf(cause)}`, { cause })
    }
  }
  attempt(() => makeFolder(dirname(path)))
  const file = attempt(() => openToWrite(path, { mark: MARK, append }))
  const header = JSON.stringify({ joust_model_calls: VERSION, ...scope })
  // The line break ends a line that an earlier process may have left truncated.
  attempt(() => writeAll(file, `${fstatSync(file).size > 0 ? '\n' : ''}${header}\n`))
  return {
    write(exchange) {
      const line = lineOf(exchange, redact)
      if (line !== undefined) attempt(() => writeAll(file, `${JSON.stringify(line)}\n`))
      return line !== undefined
    },
    close: () => closeSync(file),
  }
}

function lineOf(
  { sequence, method, path, request, answer, end }: Exchange,
  redact: Redact,
): RecordedExchange | undefined {
  const body = answer === undefined && end === 'left' ? '' : answer?.body
  if (request.body === undefined || body === undefined) return undefined
  const headers = (answer?.headers ?? []).map(([name, value]) => [name, redact(value)])
  const line = { sequence, method, path: redact(path), request: redact(request.body) }
  return { ...line, status: answer?.status ?? 0, headers, answer: redact(body), end }
}

const { count, enumeration, list, map, object, optional, required, text } = shapes
const lineShape = object({
  sequence: required(count()),
  method: required(text),
  path: required(text),
  request: required(text),
  status: required(count()),
  headers: required(list(list(text))),
  answer: required(text),
  end: required(enumeration(['whole', 'broken', 'left', 'unanswered'])),
})
const headerShape = object({
  joust_model_calls: required(count()),
  attack: optional(text),
  fingerprint: optional(text),
  trial: optional(count()),
  canaries: optional(map(text)),
})

export interface Recording {
  /** One scope per header; several if the recording was continued. */
  readonly scopes: readonly Partial<RecordingScope>[]
  readonly exchanges: readonly RecordedExchange[]
}

/**
 * Reads a recording. Throws a `ModelsError`, for example if a line is not an exchange. Only a line directly before a
 * further header may be truncated.
 *
 * @example
 * for (const { path, status } of readRecording('recordings/mine.jsonl').exchanges) console.log(path, status)
 */
export function readRecording(path: string): Recording {
  const failed = (reason: string, cause?: unknown) => {
    return new ModelsError('recording_failed', `cannot read ${path}: ${reason}`, defined({ cause }))
  }
  let content: string
  try {
    content = strictText(readBounded(path, modelLimits.recordingBytes)).text
  } catch (thrown) {
    const isMissing = own(thrown, 'code') === 'ENOENT'
    throw isMissing
      ? new ModelsError('recording_missing', `no recording at ${path}`)
      : failed(messageOf(thrown), thrown)
  }
  if (!content.startsWith(MARK)) throw failed('not a recording of model calls')
  const version = Number.parseInt(content.slice(MARK.length), 10)
  if (version !== VERSION) throw failed(`unsupported version ${version}, expected ${VERSION}`)
  const scopes: Partial<RecordingScope>[] = []
  const exchanges: RecordedExchange[] = []
  const lines = content.split('\n')
  for (const [index, line] of lines.entries()) {
    const value = parseJson(line)
    const isFirst = line.startsWith(MARK)
    const isValid = value !== undefined && checkShape(value, isFirst ? headerShape : lineShape).length === 0
    // The shape was checked above.
    if (isValid && isFirst) scopes.push(value as unknown as Partial<RecordingScope>)
    else if (isValid && isSendable(value as unknown as RecordedExchange))
      exchanges.push(value as unknown as RecordedExchange)
    else if (line.trim() !== '' && lines[index + 1]?.startsWith(MARK) !== true)
      throw failed(`line ${index + 1} is truncated or not a recorded call; record again`)
  }
  return { scopes, exchanges }
}

/** Status codes without a response body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/** True if HTTP can transport the response. Status 0 means that there was no response. */
function isSendable({ status, headers, answer, end }: RecordedExchange): boolean {
  const isAnswered = status >= 200 && status <= 599 && (answer === '' || !bodiless.has(status))
  const isMissing = status === 0 && (end === 'unanswered' || end === 'left')
  return (isAnswered || isMissing) && headers.every(([name = '', value = '']) => isHeader(name, value))
}

/** True if the name is a token and the value contains only characters that RFC 9110 §5 allows. */
function isHeader(name: string, value: string): boolean {
  return /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
}
