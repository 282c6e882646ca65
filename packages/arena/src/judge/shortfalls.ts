/** Warnings about parts of a document that a run will skip. */
import { findMode, type Indicator, type LoadedAttack } from '@joust/oatf'
import { diagnostic, diagnosticTable } from '@joust/results'
import { type Diagnostic, isRecord } from '@joust/source'

/** The available evaluators. */
export interface AvailableEvaluators {
  readonly cel?: unknown
  readonly semantic?: unknown
}

/** Reports actors in unsupported modes, indicators without an evaluator, and responses without static content. */
export function shortfallsOf(attack: LoadedAttack, means: AvailableEvaluators): Diagnostic[] {
  const unplayed = attack.document.attack.execution.actors.filter(({ mode }) => findMode(mode) === undefined)
  return [
    ...unplayed.map(({ name, mode }) => diagnostic('unknown-mode', `actor ${name} is skipped: unknown mode ${mode}`)),
    ...skippedIndicators(attack, means),
    ...attack.warnings.filter(({ code }) => code === diagnosticTable['synthesize-reserved'].code),
  ]
}

/** Reports indicators without an evaluator. */
export function skippedIndicators({ document }: LoadedAttack, means: AvailableEvaluators): Diagnostic[] {
  return (document.attack.indicators ?? []).flatMap((indicator, index) => {
    const lack = lackFor(indicator, means)
    if (lack === undefined) return []
    const { id = `indicators[${index}]` } = indicator
    return [diagnostic('indicator-skipped', `${id} is skipped: ${lack}`, `attack.indicators[${index}]`)]
  })
}

export function lackFor(indicator: Indicator, { cel, semantic: evaluator }: AvailableEvaluators): string | undefined {
  const { pattern, expression, semantic } = isRecord(indicator) ? indicator : ({} as Partial<Indicator>)
  if (isRecord(pattern)) return undefined
  if (isRecord(expression)) return cel === undefined ? 'no CEL evaluator is configured' : undefined
  return isRecord(semantic) && evaluator === undefined ? 'no semantic evaluator is configured' : undefined
}
