/** For programs that may wait and want to start fast: what a document does not need is not imported. */
import {
  type Diagnostic,
  err,
  isRecord,
  type Limits,
  ok,
  own,
  type Result,
  type Source,
  sortByPosition,
  withLimits,
} from '@joust/source'
import { translateForRun } from './dialects/translate.ts'
import type { LintOptions } from './lint.ts'
import type { LoadOptions } from './load.ts'
import { type LoadedAttack, loadedAttack, unreadAttack } from './loaded-attack.ts'
import type { Document } from './model/document.ts'
import type { OatfError, ParseError, ValidationResult } from './model/errors.ts'
import { setOrigin } from './model/origin.ts'
import { read, shape } from './parse.ts'
import { runRules, runRulesBeside } from './rules/run.ts'
import { type SyntaxCheckers, syntaxOf } from './rules/syntax.ts'
import { ruleTable } from './rules/table.ts'
import { TASK } from './rules/task.ts'
import { indicatorSites, type Walk, walkDocument } from './rules/walk.ts'
import type { ValidateOptions } from './validate.ts'

export { isTranslation, translateSource } from './dialects/translate.ts'
export { parse } from './parse.ts'
export { versionFirst } from './version-first.ts'

/** The same text as `serialize`. */
export async function serializeOnDemand(document: Document): Promise<string> {
  return (await import('./serialize.ts')).serialize(document)
}

/** The same findings as `lint`, without CEL for a document that has no expressions. */
export async function lintOnDemand(document: Document, options: LintOptions = {}): Promise<Diagnostic[]> {
  const limits = withLimits(options.limits)
  if (hasExpressions(walkDocument(document, syntaxOf(none, limits)))) {
    return (await import('./lint.ts')).lint(document, options)
  }
  const [{ runLint }, { lintTable }] = await Promise.all([import('./lint/run.ts'), import('./lint/table.ts')])
  return runLint(lintTable, document, undefined, limits)
}

/**
 * The same as `load`, with only the libraries that the document calls for. A refusal comes with the warnings, and with
 * the findings of rules where the shape is wrong as well.
 */
export async function loadOnDemand(
  input: string,
  options: LoadOptions = {},
): Promise<Result<LoadedAttack, (OatfError | Diagnostic)[]>> {
  const text = read(input, options)
  return text.ok ? loadSourceOnDemand(text.value, options) : text
}

/** The same for a text that has already been read, such as an editor's. */
export async function loadSourceOnDemand(
  text: Source,
  options: LoadOptions = {},
): Promise<Result<LoadedAttack, (OatfError | Diagnostic)[]>> {
  const { source, translations, unread } = translateForRun(text, options)
  const parsed = shape(source)
  const limits = withLimits(options.limits)
  if (!parsed.ok) {
    const more = await besideShape(source, parsed.error, limits)
    return err(sortByPosition<OatfError | Diagnostic>([...parsed.error, ...more, ...translations]))
  }
  const checkers = await checkersFor(parsed.value, limits)
  const found = runRules(ruleTable, parsed.value, checkers, limits)
  const warnings = sortByPosition([...translations, ...found.warnings])
  if (found.errors.length > 0) return err(sortByPosition<OatfError | Diagnostic>([...found.errors, ...warnings]))
  return ok(
    loadedAttack(
      { text: text.text, written: parsed.value, warnings, unread: unread && unreadAttack(unread, checkers, limits) },
      checkers,
      limits,
    ),
  )
}

async function besideShape(source: Source, faults: readonly ParseError[], limits: Limits) {
  if (!isRecord(source.value)) return []
  // Rules check any value; only their type asks for a document.
  const document = setOrigin(source.value as unknown as Document, source)
  return runRulesBeside(faults, ruleTable, document, await checkersFor(document, limits), limits)
}

/** The same findings as `validate`, with only the libraries loaded that the document calls for. */
export async function validateOnDemand(document: Document, options: ValidateOptions = {}): Promise<ValidationResult> {
  const limits = withLimits(options.limits)
  return runRules(ruleTable, document, await checkersFor(document, limits), limits)
}

async function checkersFor(document: Document, limits: Limits): Promise<SyntaxCheckers> {
  const walk = walkDocument(document, syntaxOf(none, limits))
  const cel = hasExpressions(walk)
  const jsonPath = walk.extractors.length > 0
  return {
    cel: cel ? (await import('./adapters/cel-syntax.ts')).celSyntaxError : none.cel,
    jsonPath: jsonPath ? (await import('./adapters/json-path.ts')).jsonPathSyntaxError : none.jsonPath,
  }
}

/** Whether the attack or its task has an indicator with an expression. */
function hasExpressions({ indicators, attack, execution }: Walk): boolean {
  const task = own(attack, TASK)
  const more = isRecord(task) ? indicatorSites(task, execution) : []
  return [...indicators, ...more].some((indicator) => Object.hasOwn(indicator.value, 'expression'))
}

const none: SyntaxCheckers = { cel: () => undefined, jsonPath: () => undefined }
