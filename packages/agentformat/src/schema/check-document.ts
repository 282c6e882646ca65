/** Checks the schema, version, homepage and interface schemas of one document (Agent Format). */
import { isRecord, type Limits, own, type Source, type Value } from '@joust/source'
import type { AgentDiagnostic } from '../model/diagnostic.ts'
import { placeIn } from '../model/origin.ts'
import { quote } from '../model/quote.ts'
import { checkSchema } from './check-schema.ts'
import { documentSchema } from './document/document-schema.ts'
import { explainProblem } from './document/explain.ts'
import { evaluate } from './evaluate.ts'
import { prepareSchema } from './prepare-schema.ts'
import type { SchemaProblem } from './problem.ts'

const preparedDocumentSchema = prepareSchema(documentSchema)

export function documentProblems(value: Value): SchemaProblem[] {
  const fits = evaluate(preparedDocumentSchema, value)
  return fits.ok ? [] : fits.error
}

/** Validates a document against the document schema. */
export function checkShape(source: Source, file: string | undefined): AgentDiagnostic[] {
  return documentProblems(source.value).map((problem) => ({
    severity: 'error',
    code: 'schema_violation',
    ...explainProblem(problem, source.value),
    ...placeIn(source, file, problem.path, placeOf(problem)),
  }))
}

/** Checks both interface schemas (OPEN-6). */
export function checkInterface(source: Source, file: string | undefined, limits: Limits): AgentDiagnostic[] {
  const sides = isRecord(source.value) ? own(source.value, 'interface') : undefined
  if (!isRecord(sides)) return []
  return ['input', 'output'].flatMap((side) => {
    const schema = own(sides, side)
    // Any other value violates the document schema.
    const checked = isRecord(schema) ? checkSchema(schema, limits) : undefined
    if (checked === undefined || checked.ok) return []
    // The document schema checks the root's `type` more strictly.
    const problems = checked.error.filter(({ path }) => path[0] !== 'type')
    return problems.map(
      (problem): AgentDiagnostic => ({
        severity: 'error',
        code: 'invalid_interface_schema',
        message: problem.message,
        ...(problem.suggestion && { suggestion: problem.suggestion }),
        rule: 'OPEN-6',
        ...placeIn(source, file, ['interface', side, ...problem.path], placeOf(problem)),
      }),
    )
  })
}

/** Matches an absolute URI with the characters of RFC 3986. */
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]+$/

/**
 * Checks that `homepage` is a URI, because `format` in the schema is only an annotation.
 */
export function checkHomepage(source: Source, file: string | undefined): AgentDiagnostic[] {
  const metadata = isRecord(source.value) ? own(source.value, 'metadata') : undefined
  const homepage = own(metadata, 'homepage')
  if (typeof homepage !== 'string' || URI.test(homepage)) return []
  const message = `${quote(homepage)} is not a URI such as "https://example.org/"`
  return [
    { severity: 'warning', code: 'invalid_homepage', message, ...placeIn(source, file, ['metadata', 'homepage']) },
  ]
}

/** Returns the position to report: the key for problems with property names and missing properties. */
function placeOf({ keyword }: SchemaProblem): 'key' | undefined {
  return ['required', 'additionalProperties', 'propertyNames'].includes(keyword) ? 'key' : undefined
}

/** The newest supported minor version of format 1. */
const NEWEST_MINOR = 0

/**
 * Checks the version (OPEN-1): an error for a different major version, a warning for a newer minor version. The
 * document schema rejects invalid versions.
 */
export function checkVersion(source: Source, file: string | undefined): AgentDiagnostic | undefined {
  const version = isRecord(source.value) ? own(source.value, 'schema_version') : undefined
  if (typeof version !== 'string') return undefined
  const [, major, minor] = /^([0-9]+)\.([0-9]+)\.[0-9]+$/.exec(version) ?? []
  if (major === undefined || minor === undefined) return undefined
  const place = placeIn(source, file, ['schema_version'])
  const finding = { code: 'unsupported_schema_version', rule: 'OPEN-1', ...place } as const
  const unsupported = `unsupported schema_version ${quote(version)}; expected 1.x.y`
  if (Number(major) !== 1) return { severity: 'error', message: unsupported, ...finding }
  if (Number(minor) <= NEWEST_MINOR) return undefined
  const message = `schema_version ${quote(version)} is newer than the supported 1.${NEWEST_MINOR}; its new fields are ignored`
  return { severity: 'warning', message, ...finding }
}
