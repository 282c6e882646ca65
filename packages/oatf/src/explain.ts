/** Explanations of all codes, from the table rows and their examples. */
import { invariant, readSource, type Value, writeYaml } from '@joust/source'
import { applyEdits } from './dialects/edits.ts'
import { placesIn } from './dialects/places.ts'
import { dialectTable } from './dialects/table.ts'
import type { TranslationKind, TranslationRow } from './dialects/translation.ts'
import { lintTable } from './lint/table.ts'
import type { Listed, RuleText } from './rules/rule.ts'
import { ruleTable } from './rules/table.ts'
import type { Draft, StepRow } from './steps/step.ts'
import { stepTable } from './steps/table.ts'

/** A rule, with a valid and an invalid example. */
export interface RuleExplanation {
  readonly kind: 'rule'
  readonly code: string
  readonly level: 'error' | 'warning'
  readonly section: string
  readonly summary: string
  /** The code of the rule's findings, if different. */
  readonly reported_as?: string
  readonly example: { readonly good: string; readonly bad: string; readonly path: string }
}

/** A normalization step, with an example. */
export interface StepExplanation {
  readonly kind: 'step'
  readonly code: string
  readonly section: string
  readonly summary: string
  readonly example: { readonly before: string; readonly after: string }
}

/** A translation, with an example. */
export interface DialectExplanation {
  readonly kind: 'dialect'
  readonly code: string
  readonly section: string
  readonly summary: string
  readonly does: TranslationKind
  readonly example: { readonly bad: string; readonly good: string }
}

/** The explanation of one code. */
export type Explanation = RuleExplanation | StepExplanation | DialectExplanation

/** Returns all rules, warnings, lint rules, translations and steps in code order. */
export function explanations(): readonly Explanation[] {
  const rules = [...ruleTable.map(ofRule), ...aliases(), ...lintTable.map(ofRule)]
  const rows = [...rules, ...dialectTable.map(ofDialect), ...stepTable.map(ofStep)]
  return rows.sort((a, b) => rank(a) - rank(b) || (a.code < b.code ? -1 : 1))
}

/**
 * Specification codes that are reported under a different code ([OATF SDK §3.2](https://oatf.io/sdk/entry-points/):
 * V-002 is a recommendation).
 */
const reportedAs = [{ code: 'V-002', section: '§11.1.2', as: 'W-001' }] as const

function aliases(): RuleExplanation[] {
  return reportedAs.flatMap(({ code, section, as }) =>
    ruleTable.filter((row) => row.code === as).map((row) => ({ ...ofRule(row), code, section, reported_as: as })),
  )
}

function ofRule({ code, level, section, summary, good, mistake, path }: Listed & RuleText): RuleExplanation {
  const [part, instead] = mistake
  const bad = good.replace(part, () => instead)
  return { kind: 'rule', code, level, section, summary, example: { good, bad, path } }
}

function ofStep({ code, section, summary, apply, before }: StepRow): StepExplanation {
  const draft = exampleValue(before)
  // The value is a private copy, and a step's document is a mapping.
  apply(draft as unknown as Draft)
  return { kind: 'step', code, section, summary, example: { before, after: writeYaml(draft) } }
}

function ofDialect({ code, section, summary, does, find, bad }: TranslationRow): DialectExplanation {
  const value = exampleValue(bad)
  const edits = find(placesIn(value)).flatMap((found) => found.edits)
  return { kind: 'dialect', code, section, summary, does, example: { bad, good: writeYaml(applyEdits(value, edits)) } }
}

function exampleValue(text: string): Value {
  const source = readSource(text)
  invariant(source.ok, 'examples are valid YAML')
  return source.value.value
}

function rank({ code }: Explanation): number {
  return 'VWLDN'.indexOf(code.charAt(0))
}
