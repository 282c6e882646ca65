/** Reads benchmark files. Errors name the file and the field. */
import {
  checkShape,
  err,
  formatPath,
  isList,
  ok,
  type Result,
  readJson,
  type Shape,
  type Value,
  withLimits,
} from '@joust/source'
import type { BenchmarkFolder, ImportFault } from './importer.ts'

/** Maximum size of a benchmark file in bytes. The largest known file is 3 MB. */
const FILE_BYTES = 256 * 1024 * 1024

const limits = withLimits({ yamlBytes: FILE_BYTES })

const MISSING = 'missing; is this the benchmark folder?'

/** Reads a list of cases: a JSON list, or one JSON value per line. */
export async function readItems<T>(
  folder: BenchmarkFolder,
  file: string,
  shape: Shape<T>,
): Promise<Result<T[], ImportFault>> {
  const text = await folder.read(file)
  if (text === undefined) return err({ file, message: MISSING })
  const values = text.trimStart().startsWith('[') ? readList(text, file) : readLines(text, file)
  if (!values.ok) return values
  const fault = faultOf(values.value, { kind: 'list', item: shape }, file)
  // The shape was checked above.
  return fault === undefined ? ok(values.value as T[]) : err(fault)
}

export async function readItem<T>(
  folder: BenchmarkFolder,
  file: string,
  shape: Shape<T>,
  missing = MISSING,
): Promise<Result<T, ImportFault>> {
  const text = await folder.read(file)
  if (text === undefined) return err({ file, message: missing })
  const json = readJson(text, limits)
  if (!json.ok) return err({ file, message: json.error[0]?.message ?? 'not JSON' })
  const fault = faultOf(json.value, shape, file)
  // The shape was checked above.
  return fault === undefined ? ok(json.value as T) : err(fault)
}

function readList(text: string, file: string): Result<Value[], ImportFault> {
  const json = readJson(text, limits)
  if (!json.ok) return err({ file, message: json.error[0]?.message ?? 'not JSON' })
  if (!isList(json.value)) return err({ file, message: 'expected a list' })
  return json.value.length > 0 ? ok([...json.value]) : err({ file, message: 'empty list' })
}

function readLines(text: string, file: string): Result<Value[], ImportFault> {
  const items: Value[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const json = readJson(line, limits)
    if (!json.ok) return err({ file, field: `line ${index + 1}`, message: json.error[0]?.message ?? 'not JSON' })
    items.push(json.value)
  }
  return items.length > 0 ? ok(items) : err({ file, message: 'empty file' })
}

function faultOf(value: Value, shape: Shape, file: string): ImportFault | undefined {
  const [fault] = checkShape(value, shape, 1)
  return fault && { file, field: formatPath(fault.path), message: fault.message }
}
