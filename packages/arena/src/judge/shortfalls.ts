/** What a run will leave out of a document, known before it begins; none of it lets the agent pass. */
import { findMode, type Indicator, type LoadedAttack } from '@joust/oatf'
import { type Diagnostic, isRecord } from '@joust/source'
import { diagnostic, diagnosticTable } from '../model/diagnostics.ts'

/** Which evaluators are available. */
export interface Means {
  readonly cel?: unknown
  readonly semantic?: unknown
}

/** Actors that nobody can play, indicators that nobody can evaluate, texts that nobody has written. */
export function shortfallsOf(attack: LoadedAttack, means: Means): Diagnostic[] {
  const unplayed = attack.document.attack.execution.actors.filter(({ mode }) => findMode(mode) === undefined)
  return [
    ...unplayed.map(({ name, mode }) =>
      diagnostic('unknown-mode', `${name} is skipped: the mode ${mode} is not supported`),
    ),
    ...skippedIndicators(attack, means),
    ...attack.warnings.filter(({ code }) => code === diagnosticTable['synthesize-reserved'].code),
  ]
}

/** The indicators that are skipped for lack of an evaluator. */
export function skippedIndicators({ document }: LoadedAttack, means: Means): Diagnostic[] {
  return (document.attack.indicators ?? []).flatMap((indicator, index) => {
    const lack = lackFor(indicator, means)
    if (lack === undefined) return []
    const { id = `indicators[${index}]` } = indicator
    return [diagnostic('indicator-skipped', `${id} is skipped: ${lack}`, `attack.indicators[${index}]`)]
  })
}

/** Which evaluator an indicator lacks, as a clause. */
export function lackFor(indicator: Indicator, { cel, semantic: evaluator }: Means): string | undefined {
  const { pattern, expression, semantic } = isRecord(indicator) ? indicator : ({} as Partial<Indicator>)
  if (isRecord(pattern)) return undefined
  if (isRecord(expression)) return cel === undefined ? 'no CEL evaluator was given' : undefined
  return isRecord(semantic) && evaluator === undefined ? 'no semantic evaluator was given' : undefined
}
