/** Cases of `validate/`: rule and path of every expected finding. */
import { parse, validate } from '@joust/oatf'
import { isList, own, type Value, type ValueRecord } from '@joust/source'
import { type Failure, type FixtureCase, fields, unknownShape } from './case.ts'

/** A finding as fixtures name it; without a path, any place will do. */
interface Wanted {
  readonly rule: string
  readonly path?: string
}

interface Found {
  readonly errors: readonly Wanted[]
  readonly warnings: readonly Wanted[]
}

/** What is listed must be there. Without listed errors there must be none; `warnings: []` means none. */
export function checkValidation({ input, expected }: FixtureCase): Failure | undefined {
  const record = fields(expected, [], ['valid', 'errors', 'warnings'])
  if (typeof input !== 'string' || record === undefined) return unknownShape('input and expected', expected)
  const valid = own(record, 'valid')
  const errors = readWanted(record, 'errors')
  const warnings = readWanted(record, 'warnings')
  const known = errors !== 'unknown' && warnings !== 'unknown' && (valid === undefined || valid === true)
  if (!known || Object.keys(record).length === 0) return unknownShape('expected', expected)

  const found = findings(input)
  return compare('errors', errors ?? [], found.errors) ?? (warnings && compare('warnings', warnings, found.warnings))
}

/** A parse error stands for a rule only when it names it. */
function findings(text: string): Found {
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

function readWanted(expected: ValueRecord, key: string): readonly Wanted[] | undefined | 'unknown' {
  const list = own(expected, key)
  if (list === undefined) return undefined
  const wanted = isList(list) ? list.map(readOne) : ['unknown' as const]
  return wanted.every((item) => item !== 'unknown') ? wanted : 'unknown'
}

function readOne(value: Value): Wanted | 'unknown' {
  const record = fields(value, ['rule'], ['path'])
  const rule = record && own(record, 'rule')
  const path = record && own(record, 'path')
  if (typeof rule !== 'string' || (path !== undefined && typeof path !== 'string')) return 'unknown'
  return path === undefined ? { rule } : { rule, path }
}

function compare(kind: string, wanted: readonly Wanted[], found: readonly Wanted[]): Failure | undefined {
  const complete = wanted.every(({ rule, path }) =>
    found.some((finding) => finding.rule === rule && (path === undefined || finding.path === path)),
  )
  if (complete && (wanted.length > 0 || found.length === 0)) return undefined
  return { expected: describe(kind, wanted), actual: describe(kind, found) }
}

function describe(kind: string, list: readonly Wanted[]): string {
  if (list.length === 0) return `no ${kind}`
  return list.map(({ rule, path }) => (path === undefined ? rule : `${rule} at ${path || 'the root'}`)).join(', ')
}
