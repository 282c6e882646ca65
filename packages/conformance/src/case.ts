/** Reads cases from fixture files and creates the failures of cases. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compactJson, cut, err, isRecord, ok, own, type Result, type Value, type ValueRecord } from '@joust/source'

export interface FixtureCase {
  readonly id: string
  readonly name: string
  readonly input: Value
  readonly expected: Value
  /** The kind of error, for some evaluation cases. */
  readonly expectedErrorKind?: string
}

/** The failure of a case. */
export interface Failure {
  readonly expected: string
  readonly actual: string
}

/** The result of one case or document. */
export interface CaseResult {
  /** The directory in the layout, for example `validate`. */
  readonly directory: string
  readonly file: string
  readonly id: string
  readonly name: string
  readonly failure?: Failure
}

export type CaseCheck = (fixture: FixtureCase) => Failure | undefined

const CASE_KEYS = ['name', 'id', 'input', 'expected', 'expected_error_kind']

/** Reads one entry of a fixture file. An unknown key is an error, because it could require an unsupported check. */
export function readCase(value: Value): Result<FixtureCase, string> {
  if (!isRecord(value)) return err('expected the case to be a mapping')
  const unknown = Object.keys(value).filter((key) => !CASE_KEYS.includes(key))
  if (unknown.length > 0) return err(`unknown keys in the case: ${unknown.join(', ')}`)
  const id = own(value, 'id')
  const name = own(value, 'name')
  const input = own(value, 'input')
  const expected = own(value, 'expected')
  const kind = own(value, 'expected_error_kind')
  if (typeof id !== 'string' || typeof name !== 'string') return err('missing id or name')
  if (input === undefined || expected === undefined) return err('missing input or expected')
  if (kind !== undefined && typeof kind !== 'string') return err('expected_error_kind must be a string')
  const fixture = { id, name, input, expected }
  return ok(kind === undefined ? fixture : { ...fixture, expectedErrorKind: kind })
}

/** Runs a check. An exception from the SDK fails only the current case. */
export function judge(about: Omit<CaseResult, 'failure'>, check: () => Failure | undefined): CaseResult {
  try {
    const failure = check()
    return failure === undefined ? about : { ...about, failure }
  } catch (error) {
    const actual = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    return { ...about, failure: { expected: 'no exception', actual } }
  }
}

export function structural(directory: string, id: string, expected: string, actual: string): CaseResult {
  return { directory, file: id, id, name: '', failure: { expected, actual } }
}

export function readFixture(root: string, path: string): Promise<string | undefined> {
  return readFile(join(root, path), 'utf8').catch(() => undefined)
}

/** Creates the failure for a case with an unknown shape. Such cases are never skipped. */
export function unknownShape(part: string, value: Value): Failure {
  return { expected: `a known shape of ${part}`, actual: show(value) }
}

/** Returns the value if it is a mapping with all required keys and no unknown keys. */
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

export function show(value: Value | undefined): string {
  if (value === undefined) return 'nothing'
  const text = compactJson(value, 'document')
  if (!text.ok) return text.error.message
  return cut(text.value, 300)
}
