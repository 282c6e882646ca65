/** Files of OpenTelemetry spans: OTLP JSON, as one document or one document per line. */
import { closeSync, readSync } from 'node:fs'
import { openToRead, readBounded, strictText } from '@joust/io'
import { type Span, spansIn } from '@joust/results'
import { err, ok, type Result, readJson, type Value, withLimits } from '@joust/source'
import { commandLimits } from '../terminal/limits.ts'

const BEGINNING_BYTES = 4096

/** True for a file that begins like OTLP JSON; false for one that cannot be read. */
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
    return /^\s*\{\s*"resourceSpans"/.test(bytes.subarray(0, readSync(file, bytes)).toString())
  } finally {
    closeSync(file)
  }
}

/** The spans of a file. Throws if the file cannot be read. */
export function readSpans(path: string): Result<Span[], string> {
  const { text, fault } = strictText(readBounded(path, commandLimits.spanBytes))
  if (fault !== undefined) return err(fault)
  const documents = documentsIn(text)
  if (!documents.ok) return documents
  const spans: Span[] = []
  for (const document of documents.value) {
    const part = spansIn(document)
    if (!part.ok) return part
    spans.push(...part.value)
  }
  return ok(spans)
}

function documentsIn(text: string): Result<Value[], string> {
  const limits = withLimits({ yamlBytes: commandLimits.spanBytes })
  const whole = readJson(text, limits)
  if (whole.ok) return ok([whole.value])
  const documents: Value[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const json = readJson(line, limits)
    // A document over several lines has its error where the whole has it.
    if (!json.ok) return err(index === 0 ? (whole.error[0]?.message ?? 'not JSON') : `line ${index + 1}: not JSON`)
    documents.push(json.value)
  }
  return ok(documents)
}
