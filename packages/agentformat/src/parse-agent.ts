/** Parses one Agent Format document and checks its schema, version, interface schemas and unknown fields. */
import {
  type Construct,
  err,
  formatPath,
  isRecord,
  kindOf,
  type Limits,
  ok,
  type Path,
  type Result,
  readSource,
  type Source,
  sortByPosition,
  toDoubles,
  type ValueRecord,
  valueAt,
  withLimits,
} from '@joust/source'
import type { AgentDiagnostic } from './model/diagnostic.ts'
import type { AgentDocument } from './model/document.ts'
import { placeIn, setOrigin } from './model/origin.ts'
import { checkHomepage, checkInterface, checkShape, checkVersion, documentProblems } from './schema/check-document.ts'
import { checkUnknownFields } from './schema/unknown-fields.ts'

/** Options for {@link parseAgent} and {@link checkAgent}. */
export interface ParseOptions {
  /** The file name in diagnostics. @default none */
  readonly file?: string
  /** Treats unknown fields as errors. @default false */
  readonly strict?: boolean
  /** Limits on the work for hostile input. @default `defaultLimits` */
  readonly limits?: Partial<Limits> | undefined
}

/** The result of checking a text. `document` exists if the text matches the schema, even with other errors. */
export interface CheckedAgent {
  readonly document?: AgentDocument
  /** The valid fields of a document that does not match the schema, for the rules. */
  readonly remains?: Remains
  /** Errors and warnings, sorted by position. */
  readonly diagnostics: readonly AgentDiagnostic[]
}

/**
 * Parses a document, or returns all errors. Use {@link checkAgent} to get warnings.
 *
 * @example
 * const parsed = parseAgent(text, { strict: true })
 */
export function parseAgent(text: string, options: ParseOptions = {}): Result<AgentDocument, AgentDiagnostic[]> {
  const { document, diagnostics } = checkAgent(text, options)
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  return document === undefined || errors.length > 0 ? err(errors) : ok(document)
}

/**
 * Parses a document and returns all diagnostics that do not depend on other files.
 *
 * @example
 * for (const { severity, code, message } of checkAgent(text).diagnostics) console.log(severity, code, message)
 */
export function checkAgent(text: string, options: ParseOptions = {}): CheckedAgent {
  const { file, strict = false } = options
  const limits = withLimits(options.limits)
  const source = readSource(text, limits)
  if (!source.ok)
    return { diagnostics: source.error.map((error) => ({ ...error, code: 'yaml_syntax', ...named(file) })) }
  const refused = refuseConstructs(source.value, file)
  if (refused.length > 0) return { diagnostics: refused }
  if (!isRecord(source.value.value)) return { diagnostics: [wrongRoot(source.value, file)] }

  const version = checkVersion(source.value, file)
  // The rules of other major versions are unknown.
  if (version?.severity === 'error') return { diagnostics: [version] }
  const violations = checkShape(source.value, file)
  const diagnostics = sortByPosition([
    ...(version === undefined ? [] : [version]),
    ...violations,
    ...checkInterface(source.value, file, limits),
    ...checkHomepage(source.value, file),
    ...checkUnknownFields(source.value, file, strict),
  ])
  if (violations.length > 0) {
    const remains = remainsOf(source.value.value)
    if (remains !== undefined) setOrigin(remains.document, source.value, file)
    return { diagnostics, ...(remains && { remains }) }
  }
  // The value matches the document schema. Numbers become doubles because model libraries support only those.
  const document = toDoubles(source.value.value) as unknown as AgentDocument
  return { document: setOrigin(document, source.value, file), diagnostics }
}

/** Rejects constructs that are not plain YAML 1.2 (OPEN-4). Anchors and aliases are allowed: the reader limits them. */
function refuseConstructs(source: Source, file: string | undefined): AgentDiagnostic[] {
  const refused = source.constructs().filter(({ kind }) => kind !== 'anchor' && kind !== 'alias')
  return refused.map((construct) => ({
    severity: 'error',
    code: 'yaml_syntax',
    rule: 'OPEN-4',
    message: constructMessage(construct),
    ...named(file),
    path: formatPath(construct.path),
    ...source.position(construct.offset),
  }))
}

function constructMessage({ kind, text }: Construct): string {
  if (kind === 'merge key') return 'the merge key "<<" is not part of YAML 1.2; write out the fields'
  return `the ${kind} ${text} is not allowed`
}

function wrongRoot(source: Source, file: string | undefined): AgentDiagnostic {
  const message = `expected a mapping with "schema_version" and "metadata", got ${kindOf(source.value)}`
  return { severity: 'error', code: 'schema_violation', message, ...placeIn(source, file, []) }
}

function named(file: string | undefined): { file?: string } {
  return file === undefined ? {} : { file }
}

interface Remains {
  readonly document: AgentDocument
  /** Paths of removed fields without indices, such as `action_space.local_tools.approval`. */
  readonly lost: readonly string[]
}

/** Keywords whose violation does not affect the type of a value. */
const harmless: ReadonlySet<string> = new Set(['pattern', 'minLength', 'minimum', 'maximum', 'minItems'])

const blank: ValueRecord = {
  schema_version: '1.0.0',
  metadata: { id: 'agent', name: 'agent', version: '1', description: 'An agent.' },
  interface: { input: {}, output: {} },
  execution_policy: { id: 'x-unknown', config: {} },
}

/** Maximum number of removal rounds. Each round can make more fields invalid: those that required a removed field. */
const ROUNDS = 10

/** Removes invalid fields from a document. Returns undefined if invalid fields are left after the last round. */
function remainsOf(value: ValueRecord): Remains | undefined {
  const rest = toDoubles(value)
  const lost: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const problems = documentProblems(rest).filter(({ keyword }) => !harmless.has(keyword))
    // Every remaining value now has the type of its schema.
    if (problems.length === 0) return { document: rest as unknown as AgentDocument, lost }
    for (const { path, keyword } of problems) {
      const [field] = path
      if (field === undefined) return undefined
      const isMissing = keyword === 'required'
      if (isMissing && path.length === 1) Object.assign(rest, { [field]: blank[field] })
      const removed = removeField(rest, isMissing ? path.slice(0, -1) : path)
      lost.push(removed === '' ? String(field) : removed)
    }
  }
  return undefined
}

/** Removes a field, or for a list item the whole list, so that indices do not change. Returns the removed path. */
function removeField(rest: ValueRecord, path: Path): string {
  const names = path.filter((step) => typeof step === 'string')
  const last = path.lastIndexOf(names.at(-1) ?? '')
  const parent = last < 0 ? undefined : valueAt(rest, path.slice(0, last))
  if (isRecord(parent)) Reflect.deleteProperty(parent, String(path[last]))
  return names.join('.')
}
