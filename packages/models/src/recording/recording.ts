/** Recordings of model calls: JSON lines, a line for each exchange with its attack and trial. */
import { closeSync, fstatSync } from 'node:fs'
import { openToWrite, readBounded, strictText, writeAll } from '@joust/io'
import { checkShape, defined, messageOf, parseJson, shapes } from '@joust/source'
import type { Exchange, ExchangeEnd } from '../model/call.ts'
import { ModelsError } from '../model/errors.ts'
import { modelLimits } from '../model/limits.ts'

/** The version of recordings; other versions are rejected. */
const VERSION = 1
/** The beginning of every recording. */
const MARK = '{"joust_model_calls":'

/** The run that an exchange belongs to. */
export interface RecordingScope {
  readonly attack: string
  readonly trial: number
}

/** A line of a recording. */
export interface RecordedExchange extends RecordingScope {
  readonly sequence: number
  readonly method: string
  readonly path: string
  readonly request: string
  readonly status: number
  readonly headers: readonly (readonly string[])[]
  readonly answer: string
  readonly end: ExchangeEnd
}

/** Writes exchanges to a file. */
export interface RecordingWriter {
  /** Writes an exchange; false if its request or answer is incomplete. Throws a `ModelsError`. */
  write(scope: RecordingScope, exchange: Exchange): boolean
  close(): void
}

/** Creates a recording or, with `append`, continues one. `redact` is applied to both bodies. Throws a `ModelsError`. */
export function openRecording(
  path: string,
  {
    append = false,
    redact = (text) => text,
  }: { readonly append?: boolean; readonly redact?: (text: string) => string } = {},
): RecordingWriter {
  const attempt = <T>(work: () => T): T => {
    try {
      return work()
    } catch (cause) {
      throw new ModelsError('recording_failed', `cannot write ${path}: ${messageOf(cause)}`, { cause })
    }
  }
  const file = attempt(() => openToWrite(path, { mark: MARK, append }))
  // The line break ends a truncated line of an earlier process.
  attempt(() => writeAll(file, `${fstatSync(file).size > 0 ? '\n' : ''}${MARK}${VERSION}}\n`))
  return {
    write(scope, exchange) {
      const line = lineOf(scope, exchange, redact)
      if (line !== undefined) attempt(() => writeAll(file, `${JSON.stringify(line)}\n`))
      return line !== undefined
    },
    close: () => closeSync(file),
  }
}

function lineOf(
  { attack, trial }: RecordingScope,
  { sequence, method, path, request, answer, end }: Exchange,
  redact: (text: string) => string,
): RecordedExchange | undefined {
  if (request.body === undefined || answer?.body === undefined) return undefined
  const { status, headers } = answer
  const line = { attack, trial, sequence, method, path, request: redact(request.body) }
  return { ...line, status, headers, answer: redact(answer.body), end }
}

const { count, enumeration, list, object, required, text } = shapes
const lineShape = object({
  attack: required(text),
  trial: required(count()),
  sequence: required(count()),
  method: required(text),
  path: required(text),
  request: required(text),
  status: required(count()),
  headers: required(list(list(text))),
  answer: required(text),
  end: required(enumeration(['whole', 'broken', 'left', 'unanswered'])),
})

/** Reads a recording; truncated lines are skipped. Throws a `ModelsError`. */
export function readRecording(path: string): RecordedExchange[] {
  const failed = (reason: string, cause?: unknown) => {
    return new ModelsError('recording_failed', `cannot read ${path}: ${reason}`, defined({ cause }))
  }
  let content: string
  try {
    content = strictText(readBounded(path, modelLimits.recordingBytes)).text
  } catch (thrown) {
    throw failed(messageOf(thrown), thrown)
  }
  if (!content.startsWith(MARK)) throw failed('not a recording of model calls')
  const version = Number.parseInt(content.slice(MARK.length), 10)
  if (version !== VERSION) throw failed(`unsupported version ${version}, expected ${VERSION}`)
  return content.split('\n').flatMap((line) => {
    const value = parseJson(line)
    // The shape was checked.
    return value !== undefined && checkShape(value, lineShape).length === 0
      ? [value as unknown as RecordedExchange]
      : []
  })
}
