/**
 * [OATF SDK §3.5](https://oatf.io/sdk/entry-points/): read → translate → parse, then validate → normalize. The required
 * libraries are determined between the two halves.
 */
import {
  type Diagnostic,
  err,
  isRecord,
  type Limits,
  ok,
  type Result,
  type Source,
  sortByPosition,
  withLimits,
} from '@joust/source'
import { translateForRun } from './dialects/translate.ts'
import { type LoadedAttack, type LoadOptions, loadedAttack } from './loaded-attack.ts'
import type { Document } from './model/document.ts'
import type { OatfError, ParseError } from './model/errors.ts'
import type { Libraries } from './model/evaluators.ts'
import type { NormalAttack } from './model/normal.ts'
import { setOrigin } from './model/origin.ts'
import { normalForm } from './normalize.ts'
import { read, shape } from './parse.ts'
import { runRules, runRulesOnMisshapen } from './rules/run.ts'
import { syntaxOf } from './rules/syntax.ts'
import { ruleTable } from './rules/table.ts'
import { type Walk, walkDocument } from './walk/walk.ts'

interface Reading {
  readonly text: string
  readonly parsed: Result<Document, ParseError[]>
  readonly walk: Walk
  readonly translations: readonly Diagnostic[]
  readonly unread: Source | undefined
  /** The document before dialects are translated. */
  readonly source: Source
  readonly options: LoadOptions
  readonly limits: Limits
}

interface Refusal {
  /** All errors of the first failed stage. */
  readonly errors: OatfError[]
  /** All errors and warnings, including rule findings for a document of the wrong shape. */
  readonly findings: () => (OatfError | Diagnostic)[]
}

/** Runs read → translate → parse. */
export function readAttack(input: string | Source, options: LoadOptions): Result<Reading, ParseError[]> {
  const text = typeof input === 'string' ? read(input, options) : ok(input)
  if (!text.ok) return text
  const { source, translations, unread } = translateForRun(text.value, options)
  const parsed = shape(source)
  if (!parsed.ok && !isRecord(source.value)) return parsed
  // Rules accept any value, although their types require a document.
  const walk = walkDocument(parsed.ok ? parsed.value : setOrigin(source.value as unknown as Document, source))
  const limits = withLimits(options.limits)
  return ok({ text: source.text, parsed, walk, translations, unread, source: text.value, options, limits })
}

/** Runs validate → normalize. If `like` is set, the attack has the fingerprint and the findings of `like`. */
export function checkAttack(
  reading: Reading,
  libraries: Libraries,
  like?: LoadedAttack,
): Result<LoadedAttack, Refusal> {
  const { text, parsed, walk, translations, source, options, limits } = reading
  const syntax = syntaxOf(libraries, limits)
  if (!parsed.ok) {
    const ruleFindings = () => runRulesOnMisshapen(parsed.error, ruleTable, walk, syntax)
    return err(refusal(parsed.error, () => [...ruleFindings(), ...translations]))
  }
  const { errors, warnings: found } = runRules(ruleTable, walk, syntax)
  const warnings = sortByPosition([...translations, ...found])
  if (errors.length > 0) return err(refusal([...errors], () => warnings))
  const unread = reading.unread && unreadAttack(reading.unread, libraries, limits)
  const valid = { text, written: parsed.value, warnings, walk, source, options, unread, like }
  return ok(loadedAttack(valid, libraries, limits))
}

function refusal(errors: OatfError[], ruleFindings: () => readonly (OatfError | Diagnostic)[]): Refusal {
  return { errors, findings: () => sortByPosition<OatfError | Diagnostic>([...errors, ...ruleFindings()]) }
}

/**
 * Returns the attack with its indicators as written; undefined if these are invalid and only readings can be judged.
 */
function unreadAttack(source: Source, libraries: Libraries, limits: Limits): NormalAttack | undefined {
  const parsed = shape(source)
  if (!parsed.ok) return undefined
  const { errors } = runRules(ruleTable, walkDocument(parsed.value), syntaxOf(libraries, limits))
  return errors.length > 0 ? undefined : normalForm(parsed.value).attack
}
