/** Files of OpenTelemetry spans and log records: OTLP JSON, as one document, a list, or one document per line. */
import { closeSync, readSync } from 'node:fs'
import { openToRead, readBounded, strictText } from '@joust/io'
import { type Span, spansIn } from '@joust/results'
import { err, isList, ok, type Result, readJson, type Value, withLimits } from '@joust/source'
import { commandLimits } from '../terminal/limits.ts'

const BEGINNING_BYTES = 4096
/** Matches the start of an OTLP document, or of a list of OTLP documents; scalar fields may come first. */
const BEGINNING = /^\uFEFF?\s*(?:\[\s*)?\{[^{}[\]]*"resource(?:Spans|Logs|Metrics)"\s*:/

/** True if a file begins like OTLP JSON; false if the file cannot be read. */
export function isSpanFile(path: string): boolean {
  try {
    return beginsLikeSpans(path)
  } catch {
    return false
  }
}

function beginsLikeSpans(path: string): boolean {
  const file = openToRead(path)
  try {
    const bytes = Buffer.alloc(BEGINNING_BYTES)
    return BEGINNING.test(bytes.subarray(0, readSync(file, bytes)).toString())
  } finally {
    closeSync(file)
  }
}

/** Reads the spans in a file. Throws if the file cannot be read. */
export function readSpans(path: string): Result<Span[], string> {
  const { text, fault } = strictText(readBounded(path, commandLimits.spanBytes))
  if (fault !== undefined) return err(fault)
  const documents = documentsIn(text)
  if (!documents.ok) return documents
  const parts = documents.value.map(spansIn)
  const broken = parts.find((part) => !part.ok)
  return broken ?? ok(parts.flatMap((part) => (part.ok ? part.value : [])))
}

function documentsIn(text: string): Result<Value[], string> {
  const limits = withLimits({ yamlBytes: commandLimits.spanBytes })
  const whole = readJson(text, limits)
  if (whole.ok) return ok(isList(whole.value) ? [...whole.value] : [whole.value])
  const documents: Value[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const json = readJson(line, limits)
    // If the first line is not JSON, the text may be one document over several lines: report its error.
    if (!json.ok) return err(index === 0 ? (whole.error[0]?.message ?? 'not JSON') : `line ${index + 1}: not JSON`)
    documents.push(json.value)
  }
  return ok(documents)
}
