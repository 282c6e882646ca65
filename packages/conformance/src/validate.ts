/** Checks the cases of `validate/`: the rule and path of every expected finding. */
import { parse, validate } from '@joust/oatf'
import { isList, own, type Value, type ValueRecord } from '@joust/source'
import { type Failure, type FixtureCase, fields, unknownShape } from './case.ts'

/** A finding that a fixture expects. If `path` is not set, any path matches. */
interface Finding {
  readonly rule: string
  readonly path?: string
}

interface Findings {
  readonly errors: readonly Finding[]
  readonly warnings: readonly Finding[]
}

/** Checks that all listed findings are reported, and that none are reported if the list is empty. */
export function checkValidation({ input, expected }: FixtureCase): Failure | undefined {
  const record = fields(expected, [], ['valid', 'errors', 'warnings'])
  if (typeof input !== 'string' || record === undefined) return unknownShape('input and expected', expected)
  const valid = own(record, 'valid')
  const errors = readFindings(record, 'errors')
  const warnings = readFindings(record, 'warnings')
  const isSupported = errors !== 'unknown' && warnings !== 'unknown' && (valid === undefined || valid === true)
  if (!isSupported || Object.keys(record).length === 0) return unknownShape('expected', expected)

  const actual = findingsOf(input)
  return compare('errors', errors ?? [], actual.errors) ?? (warnings && compare('warnings', warnings, actual.warnings))
}

/** Returns the findings for a text. A parse error matches a rule only if the error names that rule. */
function findingsOf(text: string): Findings {
  const parsed = parse(text)
  if (parsed.ok) {
    const { errors, warnings } = validate(parsed.value)
    return {
      errors,
      warnings: warnings.map(({ code, path }) => ({ rule: code, ...(path === undefined ? {} : { path }) })),
    }
  }
  const errors = parsed.error.map(({ rule, kind, path }) => ({
    rule: rule ?? `${kind} parse error`,
    ...(path === undefined ? {} : { path }),
  }))
  return { errors, warnings: [] }
}

function readFindings(expected: ValueRecord, key: string): readonly Finding[] | undefined | 'unknown' {
  const list = own(expected, key)
  if (list === undefined) return undefined
  const findings = isList(list) ? list.map(readFinding) : ['unknown' as const]
  return findings.every((item) => item !== 'unknown') ? findings : 'unknown'
}

function readFinding(value: Value): Finding | 'unknown' {
  const record = fields(value, ['rule'], ['path'])
  const rule = record && own(record, 'rule')
  const path = record && own(record, 'path')
  if (typeof rule !== 'string' || (path !== undefined && typeof path !== 'string')) return 'unknown'
  return path === undefined ? { rule } : { rule, path }
}

function compare(kind: string, expected: readonly Finding[], actual: readonly Finding[]): Failure | undefined {
  const complete = expected.every(({ rule, path }) =>
    actual.some((finding) => finding.rule === rule && (path === undefined || finding.path === path)),
  )
  if (complete && (expected.length > 0 || actual.length === 0)) return undefined
  return { expected: describe(kind, expected), actual: describe(kind, actual) }
}

function describe(kind: string, list: readonly Finding[]): string {
  if (list.length === 0) return `no ${kind}`
  return list.map(({ rule, path }) => (path === undefined ? rule : `${rule} at ${path || 'the root'}`)).join(', ')
}
