/** The shape of a document, and the schemas it carries. */
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

/** Every way in which a value does not have the shape of a document. */
export function documentProblems(value: Value): SchemaProblem[] {
  const fits = evaluate(preparedDocumentSchema, value)
  return fits.ok ? [] : fits.error
}

/** The same for a text. */
export function checkShape(source: Source, file: string | undefined): AgentDiagnostic[] {
  return documentProblems(source.value).map((problem) => ({
    severity: 'error',
    code: 'schema_violation',
    ...explainProblem(problem, source.value),
    ...placeIn(source, file, problem.path, placeOf(problem)),
  }))
}

/** OPEN-6: every way in which the two schemas of the interface are not valid schemas. */
export function checkInterface(source: Source, file: string | undefined, limits: Limits): AgentDiagnostic[] {
  const sides = isRecord(source.value) ? own(source.value, 'interface') : undefined
  if (!isRecord(sides)) return []
  return ['input', 'output'].flatMap((side) => {
    const schema = own(sides, side)
    // Anything else here is a violation of the document schema.
    const checked = isRecord(schema) ? checkSchema(schema, limits) : undefined
    if (checked === undefined || checked.ok) return []
    // The root's `type` is judged by the document schema, which allows less.
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

/** An absolute URI, in the characters of RFC 3986. */
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]+$/

/** `homepage` is a URI by its format, which the schema only notes. */
export function checkHomepage(source: Source, file: string | undefined): AgentDiagnostic[] {
  const metadata = isRecord(source.value) ? own(source.value, 'metadata') : undefined
  const homepage = own(metadata, 'homepage')
  if (typeof homepage !== 'string' || URI.test(homepage)) return []
  const message = `${quote(homepage)} is not a URI such as "https://example.org/"`
  return [
    { severity: 'warning', code: 'invalid_homepage', message, ...placeIn(source, file, ['metadata', 'homepage']) },
  ]
}

/** A name that should not be there, or one that is missing, is shown by its key. */
function placeOf({ keyword }: SchemaProblem): 'key' | undefined {
  return ['required', 'additionalProperties', 'propertyNames'].includes(keyword) ? 'key' : undefined
}

/** The newest minor version of format 1 that is known here. */
const NEWEST_MINOR = 0

/**
 * OPEN-1: an error for another major version, a warning for a minor version that is newer than ours. What is not a
 * version is left to the schema.
 */
export function checkVersion(source: Source, file: string | undefined): AgentDiagnostic | undefined {
  const version = isRecord(source.value) ? own(source.value, 'schema_version') : undefined
  if (typeof version !== 'string') return undefined
  const [, major, minor] = /^([0-9]+)\.([0-9]+)\.[0-9]+$/.exec(version) ?? []
  if (major === undefined || minor === undefined) return undefined
  const found = {
    code: 'unsupported_schema_version',
    rule: 'OPEN-1',
    ...placeIn(source, file, ['schema_version']),
  } as const
  if (Number(major) !== 1) {
    return {
      severity: 'error',
      message: `version ${quote(version)} of the format is not supported; 1.x.y is`,
      ...found,
    }
  }
  if (Number(minor) <= NEWEST_MINOR) return undefined
  const message = `version ${quote(version)} is newer than 1.${NEWEST_MINOR}: what it adds is unknown here and has no effect`
  return { severity: 'warning', message, ...found }
}
