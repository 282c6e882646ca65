/** Cases of fixture files: read, judged, and shown where they fail. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compactJson, cut, err, isRecord, ok, own, type Result, type Value, type ValueRecord } from '@joust/source'

/** One case of a fixture file. */
export interface FixtureCase {
  readonly id: string
  readonly name: string
  readonly input: Value
  readonly expected: Value
  /** Only some evaluation cases have it. */
  readonly expectedErrorKind?: string
}

/** How a case went wrong, in words. */
export interface Failure {
  readonly expected: string
  readonly actual: string
}

/** The result of one case or document. */
export interface CaseResult {
  /** The directory that it is counted under: `validate`. */
  readonly directory: string
  readonly file: string
  readonly id: string
  readonly name: string
  readonly failure?: Failure
}

/** Judges one case: undefined when it passes. */
export type CaseCheck = (fixture: FixtureCase) => Failure | undefined

const CASE_KEYS = ['name', 'id', 'input', 'expected', 'expected_error_kind']

/** Reads one entry of a fixture file. An unknown key is a fault: it would ask for something that is not checked. */
export function readCase(value: Value): Result<FixtureCase, string> {
  if (!isRecord(value)) return err('the case is not a mapping')
  const unknown = Object.keys(value).filter((key) => !CASE_KEYS.includes(key))
  if (unknown.length > 0) return err(`unknown keys in the case: ${unknown.join(', ')}`)
  const id = own(value, 'id')
  const name = own(value, 'name')
  const input = own(value, 'input')
  const expected = own(value, 'expected')
  const kind = own(value, 'expected_error_kind')
  if (typeof id !== 'string' || typeof name !== 'string') return err('the case has no id or no name')
  if (input === undefined || expected === undefined) return err('the case has no input or no expected')
  if (kind !== undefined && typeof kind !== 'string') return err('expected_error_kind is not a string')
  const fixture = { id, name, input, expected }
  return ok(kind === undefined ? fixture : { ...fixture, expectedErrorKind: kind })
}

/** The result of a check. A case that makes the SDK throw has failed; the others still run. */
export function judge(about: Omit<CaseResult, 'failure'>, check: () => Failure | undefined): CaseResult {
  try {
    const failure = check()
    return failure === undefined ? about : { ...about, failure }
  } catch (error) {
    const actual = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    return { ...about, failure: { expected: 'no exception', actual } }
  }
}

/** A fault of the fixtures themselves: something is missing, unknown or unreadable. */
export function structural(directory: string, id: string, expected: string, actual: string): CaseResult {
  return { directory, file: id, id, name: '', failure: { expected, actual } }
}

/** The text of a fixture file; undefined when it cannot be read. */
export function readFixture(root: string, path: string): Promise<string | undefined> {
  return readFile(join(root, path), 'utf8').catch(() => undefined)
}

/** The failure of a case whose shape is unknown; never a skip. */
export function unknownShape(part: string, value: Value): Failure {
  return { expected: `a known shape of ${part}`, actual: show(value) }
}

/** A mapping with all the required keys, possibly the optional ones, and no others. */
export function fields(
  value: Value,
  required: readonly string[],
  optional: readonly string[] = [],
): ValueRecord | undefined {
  if (!isRecord(value)) return undefined
  const keys = Object.keys(value)
  if (!required.every((key) => keys.includes(key))) return undefined
  return keys.every((key) => required.includes(key) || optional.includes(key)) ? value : undefined
}

/** A value as one short line. */
export function show(value: Value | undefined): string {
  if (value === undefined) return 'nothing'
  const text = compactJson(value, 'document')
  if (!text.ok) return text.error.message
  return cut(text.value, 300)
}
