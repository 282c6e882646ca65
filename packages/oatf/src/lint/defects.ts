/** Mistakes that weaken an attack: an agent that resists such an attack has not been tested properly. */
import { type Diagnostic, messageWithHint, ownText } from '@joust/source'
import { findBinding } from '../bindings/table.ts'
import { conditionsCanMatch } from '../rules/content/conditions-can-match.ts'
import { ruleTable } from '../rules/table.ts'
import type { LintContext, Subject } from './context.ts'
import { canariesPlaced } from './rules/canaries-placed.ts'
import { literalSpelled } from './rules/literal-spelled.ts'
import { placeboHarmless } from './rules/placebo-harmless.ts'
import { placeboPlaced } from './rules/placebo-placed.ts'
import { placeboValid } from './rules/placebo-valid.ts'
import { taskWellFormed } from './rules/task-well-formed.ts'
import { lintTable } from './table.ts'
import { isDead } from './targets.ts'

/** Codes for mistakes in the task, the placebo or the canaries, which do not affect the attack. */
const unrelatedCodes = new Set(
  [taskWellFormed, placeboPlaced, placeboHarmless, placeboValid, canariesPlaced].flatMap((rule) => [
    ...codesOf(lintTable, rule),
  ]),
)
/** Codes for a key that resembles an operator. Such a key is valid, but a typo. */
const conditionCodes = codesOf(ruleTable, conditionsCanMatch)
/**
 * Codes for a literal with a possible typo. These findings are only warnings, but the indicator may search for a token
 * that occurs nowhere else.
 */
const literalCodes = codesOf(lintTable, literalSpelled)

/** Maximum number of sentences, because every run of the attack records them. */
const MOST_DEFECTS = 100

/** Returns one sentence per defect, followed by the number of remaining defects. */
export function defectsIn(lint: readonly Diagnostic[], warnings: readonly Diagnostic[]): readonly string[] {
  const errors = lint.filter(
    ({ severity, code }) => (severity === 'error' && !unrelatedCodes.has(code)) || literalCodes.has(code),
  )
  const misspelled = warnings.filter(({ code, suggestion }) => conditionCodes.has(code) && suggestion !== undefined)
  const all = [...errors, ...misspelled]
  const more = all.length - MOST_DEFECTS
  const rest = more > 0 ? [`the attack cannot work as written: ${more} more findings`] : []
  return [...all.slice(0, MOST_DEFECTS).map(sentenceOf), ...rest]
}

function sentenceOf(diagnostic: Diagnostic): string {
  return `the attack cannot work as written (${diagnostic.code}): ${messageWithHint(diagnostic)}`
}

interface Checked {
  readonly check: unknown
}

function codesOf(table: readonly (Checked & { readonly code: string })[], { check }: Checked): ReadonlySet<string> {
  return new Set(table.filter((row) => row.check === check).map(({ code }) => code))
}

export function deadIndicators(context: LintContext | undefined): readonly number[] {
  return positionsOf(context, isDead)
}

/** Returns the positions of indicators with a surface that the binding does not define (newer or misspelled). */
export function unknownSurfaceIndicators(context: LintContext | undefined): readonly number[] {
  return positionsOf(context, hasUnknownSurface)
}

function hasUnknownSurface({ protocol, value }: Subject): boolean {
  const surfaces = protocol === undefined ? undefined : findBinding(protocol)?.surfaces
  const surface = ownText(value, 'surface')
  return surfaces !== undefined && surface !== undefined && !surfaces.includes(surface)
}

function positionsOf(
  context: LintContext | undefined,
  holds: (subject: Subject, context: LintContext) => boolean,
): number[] {
  if (context === undefined) return []
  return context.subjects.flatMap((subject) => (holds(subject, context) ? [Number(subject.path.at(-1))] : []))
}
