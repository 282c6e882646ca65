import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CaseResult, Failure } from './case.ts'

/** The result of a check. A case that makes the SDK throw has failed; the others still run. */
export function judge(about: Omit<CaseResult, 'failure'>, check: () => Failure | undefined): CaseResult {
  const failure = attempt(check)
  return failure === undefined ? about : { ...about, failure }
}

/** A fault of the fixtures themselves: something is missing, unknown or unreadable. */
export function structural(directory: string, id: string, expected: string, actual: string): CaseResult {
  return { directory, file: id, id, name: '', failure: { expected, actual } }
}

/** The text of a fixture file; undefined when it cannot be read. */
export function readFixture(root: string, path: string): Promise<string | undefined> {
  return readFile(join(root, path), 'utf8').catch(() => undefined)
}

function attempt(check: () => Failure | undefined): Failure | undefined {
  try {
    return check()
  } catch (error) {
    return {
      expected: 'no exception',
      actual: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    }
  }
}
