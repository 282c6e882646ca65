/** What is known about every code: the tables joined with their examples, for tools that explain findings. */
import { isRecord, readSource, writeYaml } from '@joust/source'
import { applyEdits } from './dialects/edits.ts'
import { dialectExamples } from './dialects/examples.ts'
import { placesIn } from './dialects/places.ts'
import { dialectTable } from './dialects/table.ts'
import type { TranslationRow } from './dialects/translation.ts'
import { lintExamples } from './lint/rules/examples.ts'
import { lintTable } from './lint/table.ts'
import { attackExamples } from './rules/attack/examples.ts'
import { contentExamples } from './rules/content/examples.ts'
import { documentExamples } from './rules/document/examples.ts'
import type { RuleExample, RuleExamples } from './rules/example.ts'
import { executionExamples } from './rules/execution/examples.ts'
import { extractorExamples } from './rules/extractor/examples.ts'
import { indicatorExamples } from './rules/indicator/examples.ts'
import { phaseExamples } from './rules/phase/examples.ts'
import type { RuleRow } from './rules/rule.ts'
import { ruleTable } from './rules/table.ts'
import { triggerExamples } from './rules/trigger/examples.ts'
import { stepExamples } from './steps/examples.ts'
import type { Draft, StepRow } from './steps/step.ts'
import { stepTable } from './steps/table.ts'

export type { RuleExample } from './rules/example.ts'

/** A rule, what it asks for, and how it is broken. */
export interface RuleExplanation {
  readonly kind: 'rule'
  readonly code: string
  readonly level: 'error' | 'warning'
  /** The clause of the specification. */
  readonly section: string
  readonly summary: string
  /** The code that findings carry, where it is another one. */
  readonly reported_as?: string
  readonly example?: RuleExample
}

/** A normalization step, and what it makes of a document. */
export interface StepExplanation {
  readonly kind: 'step'
  readonly code: string
  readonly section: string
  readonly summary: string
  readonly example?: { readonly before: string; readonly after: string }
}

/** A translation, and what a document in the dialect is read as. */
export interface DialectExplanation {
  readonly kind: 'dialect'
  readonly code: string
  readonly section: string
  readonly summary: string
  /** Whether it changes what a peer is sent: then `x-joust-verbatim` prevents it. */
  readonly repairs: 'document' | 'wire'
  readonly example?: { readonly bad: string; readonly good: string }
}

/** What is known about one code. */
export type Explanation = RuleExplanation | StepExplanation | DialectExplanation

/** Every rule, warning, lint rule, translation and step in code order. */
export function explanations(): readonly Explanation[] {
  const rules = [...ruleTable.map(ofRule), ...aliases(), ...lintTable.map(ofRule)]
  const rows = [...rules, ...dialectTable.map(ofDialect), ...stepTable.map(ofStep)]
  return rows.sort((a, b) => rank(a) - rank(b) || (a.code < b.code ? -1 : 1))
}

const ruleExamples: RuleExamples = {
  ...documentExamples,
  ...attackExamples,
  ...executionExamples,
  ...phaseExamples,
  ...triggerExamples,
  ...extractorExamples,
  ...contentExamples,
  ...indicatorExamples,
  ...lintExamples,
}

/** Codes of the specification whose findings carry another code (SDK §3.2: V-002 is a recommendation). */
const reportedAs = [{ code: 'V-002', section: '§11.1.2', as: 'W-001' }] as const

function aliases(): RuleExplanation[] {
  return reportedAs.flatMap(({ code, section, as }) =>
    ruleTable.filter((row) => row.code === as).map((row) => ({ ...ofRule(row), code, section, reported_as: as })),
  )
}

function ofRule({ code, level, section, summary }: Omit<RuleRow, 'check'>): RuleExplanation {
  const example = ruleExamples[code]
  return { kind: 'rule', code, level, section, summary, ...(example === undefined ? {} : { example }) }
}

function ofStep({ code, section, summary, apply }: StepRow): StepExplanation {
  const before = stepExamples[code]
  const after = before === undefined ? undefined : applied(before, apply)
  const example = before === undefined || after === undefined ? {} : { example: { before, after } }
  return { kind: 'step', code, section, summary, ...example }
}

function ofDialect({ code, section, summary, repairs, find }: TranslationRow): DialectExplanation {
  const bad = dialectExamples[code]
  const source = bad === undefined ? undefined : readSource(bad)
  if (bad === undefined || !source?.ok) return { kind: 'dialect', code, section, summary, repairs }
  const { value } = source.value
  const good = writeYaml(
    applyEdits(
      value,
      find(placesIn(value)).flatMap(({ edits }) => edits),
    ),
  )
  return { kind: 'dialect', code, section, summary, repairs, example: { bad, good } }
}

function applied(before: string, apply: StepRow['apply']): string | undefined {
  const source = readSource(before)
  if (!source.ok || !isRecord(source.value.value)) return undefined
  // The value was read for this and belongs to nobody else.
  apply(source.value.value as unknown as Draft)
  return writeYaml(source.value.value)
}

function rank({ code }: Explanation): number {
  return 'VWLDN'.indexOf(code.charAt(0))
}
