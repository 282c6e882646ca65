/** Parses one Agent Format document: YAML, shape, version, interface schemas, unknown fields. */
import {
  type Construct,
  err,
  formatPath,
  isRecord,
  kindOf,
  type Limits,
  ok,
  type Result,
  readSource,
  type Source,
  sortByPosition,
  toDoubles,
  withLimits,
} from '@joust/source'
import type { AgentDiagnostic } from './model/diagnostic.ts'
import type { AgentDocument } from './model/document.ts'
import { placeIn, setOrigin } from './model/origin.ts'
import { checkHomepage, checkInterface, checkShape, checkVersion } from './schema/check-document.ts'
import { type Remains, remainsOf } from './schema/remains.ts'
import { checkUnknownFields } from './schema/unknown-fields.ts'

/** Options of `parseAgent` and `checkAgent`. */
export interface ParseOptions {
  /** The file name for diagnostics. */
  readonly file?: string
  /** Treat unknown fields as errors. @default false */
  readonly strict?: boolean
  /** Limits on the work for hostile input. @default `defaultLimits` */
  readonly limits?: Partial<Limits> | undefined
}

/** The result of checking a text. The document is present when the text matches the schema, even with other errors. */
export interface CheckedAgent {
  readonly document?: AgentDocument
  /** The valid parts of a text that does not match the schema, for the rules. */
  readonly remains?: Remains
  /** Errors and warnings, sorted by position. */
  readonly diagnostics: readonly AgentDiagnostic[]
}

/** Parses a document, or returns all errors. Warnings are dropped, see `checkAgent`. */
export function parseAgent(text: string, options: ParseOptions = {}): Result<AgentDocument, AgentDiagnostic[]> {
  const { document, diagnostics } = checkAgent(text, options)
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  return document === undefined || errors.length > 0 ? err(errors) : ok(document)
}

/** Parses a document and returns all diagnostics that do not need other files. */
export function checkAgent(text: string, options: ParseOptions = {}): CheckedAgent {
  const { file, strict = false } = options
  const limits = withLimits(options.limits)
  const source = readSource(text, limits)
  if (!source.ok) {
    return { diagnostics: source.error.map((error) => ({ ...error, code: 'yaml_syntax', ...named(file) })) }
  }
  const refused = refuseConstructs(source.value, file)
  if (refused.length > 0) return { diagnostics: refused }
  if (!isRecord(source.value.value)) return { diagnostics: [wrongRoot(source.value, file)] }

  const version = checkVersion(source.value, file)
  // The rules of another major version are unknown.
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
  // The value matches the document schema. Numbers become doubles because libraries for models know no others.
  const document = toDoubles(source.value.value) as unknown as AgentDocument
  return { document: setOrigin(document, source.value, file), diagnostics }
}

/** OPEN-4: plain YAML 1.2. Anchors and aliases are allowed: the reader limits them. */
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
  if (kind === 'merge key') return 'the merge key "<<" is not part of YAML 1.2; write the fields out'
  return `the ${kind} ${text} is not allowed`
}

function wrongRoot(source: Source, file: string | undefined): AgentDiagnostic {
  const message = `expected a mapping with "schema_version" and "metadata", got ${kindOf(source.value)}`
  return { severity: 'error', code: 'schema_violation', message, ...placeIn(source, file, []) }
}

function named(file: string | undefined): { file?: string } {
  return file === undefined ? {} : { file }
}
