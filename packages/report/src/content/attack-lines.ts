/** Describes attacks for several formats. The texts are not escaped for any of them. */
import {
  type AttackResults,
  controlNotes,
  exposureText,
  indicatorOf,
  isJudged,
  outcomeVerdicts,
  type Proportion,
  type ResultIndicator,
  type ResultIndicatorVerdict,
  type Results,
  type ResultTarget,
  statisticsOf,
  wayOf,
} from '@joust/results'
import { cut, excerpt, firstFew, messageWithHint, splitBlock } from '@joust/source'

/** An attack on a target, for formats that have one entry per attack. */
export interface ListedAttack {
  readonly results: AttackResults
  readonly kind: ResultTarget['kind']
  /** Name of the target. Undefined if there is only one target. */
  readonly target: string | undefined
  /** Location of the target's configuration or, if unknown, of the matched indicator. */
  readonly place: { readonly file: string; readonly line?: number | undefined }
}

export function listedAttacks({ targets }: Results): ListedAttack[] {
  return targets.flatMap(({ name, kind, place, attacks }) =>
    attacks.map((results) => ({
      results,
      kind,
      target: targets.length > 1 ? name : undefined,
      place: place ?? { file: results.file, line: matchedIndicators(results)[0]?.line },
    })),
  )
}

/** Returns the id, if any, and the name of an attack. */
export function titleOf({ attack: { id, name } }: AttackResults): string {
  return id === undefined ? name : `${id} ${name}`
}

const MOST_LINES = 10
const WIDEST = 300

/** Summarizes the outcome in one line, such as `exploited (boundary_breach), 3 of 5 judged trials, flaky`. */
export function headline(results: AttackResults): string {
  const { outcome, tier, trials } = results
  const { counts, judged, flaky } = statisticsOf(results)
  const several = trials.length > 1
  const parts = [
    tier === undefined ? outcome : `${outcome} (${tier})`,
    ...(several && judged > 0 ? [`${counts.exploited} of ${judged} judged trials`] : []),
    ...(flaky ? ['flaky'] : []),
    ...(several && counts.inconclusive > 0 ? [`${counts.inconclusive} inconclusive`] : []),
    ...(several && counts.not_applicable > 0 ? [`${counts.not_applicable} not applicable`] : []),
  ]
  return parts.join(', ')
}

/** Returns lines with the reasons, the exposure and the evidence, each truncated to a readable length. */
export function evidenceLines(results: AttackResults, kind: ResultTarget['kind']): string[] {
  const { reasons, attack, exposure } = results
  const indicators = outcomeVerdicts(results).flatMap((one, position) =>
    // Reasons already explain why indicators could not be evaluated.
    one.result === 'matched' || reasons.length === 0
      ? indicatorLine(one, indicatorOf(attack, one, position), kind)
      : [],
  )
  const exposureNote = exposureText(exposure)
  const all = [
    ...reasons.map((reason) => splitBlock(reason)[0]),
    ...controlNotes(results),
    ...(exposureNote === undefined ? [] : [`the agent ${exposureNote}`]),
    ...indicators,
  ]
  return firstFew([...new Set(all)], MOST_LINES, (line) => cut(line, WIDEST))
}

/** Returns errors in the evaluation of the user's task in judged trials. */
export function taskFaults({ trials }: AttackResults): string[] {
  const faults = trials
    .filter((trial) => isJudged(trial) && trial.task?.result === 'error')
    .flatMap(({ task }) => task?.diagnostics ?? [])
    .map((diagnostic) => {
      const { code, path = '' } = diagnostic
      return cut(`task not judged, ${code}: ${messageWithHint(diagnostic)}${path === '' ? '' : ` (${path})`}`, WIDEST)
    })
  return [...new Set(faults)]
}

export function matchedIndicators(results: AttackResults): ResultIndicator[] {
  const verdicts = outcomeVerdicts(results)
  return verdicts.flatMap((verdict, position) => {
    return verdict.result === 'matched' ? (indicatorOf(results.attack, verdict, position) ?? []) : []
  })
}

/** Formats a rate, such as `2 of 5, 40 % (12–77 %)`. The interval of a sequential test is labelled. */
export function rateText(proportion: Proportion, isSequential = false): string {
  const { hits, of, rate, low, high } = proportion
  const label = isSequential ? ', always valid' : ''
  return `${hits} of ${of}, ${percent(rate)} % (${percent(low)}–${percent(high)} %${label})`
}

function percent(rate: number): string {
  return String(Math.round(rate * 100))
}

function indicatorLine(
  verdict: ResultIndicatorVerdict,
  indicator: ResultIndicator | undefined,
  kind: ResultTarget['kind'],
): string[] {
  const { indicator_id, result, match, evidence, entry } = verdict
  if (result === 'not_matched') return []
  if (result !== 'matched') return [`${indicator_id} ${result}: ${evidence ?? 'no reason given'}`]
  const what = indicator?.description === undefined ? '' : ` ${indicator.description.trim()}`
  const way = entry === undefined ? '' : `${wayOf(entry, kind)}, `
  const where = match === undefined ? (evidence ?? '') : `${match.path || 'the message'}: ${around(match)}`
  return [`${indicator_id} matched.${what} ${way === '' ? 'At ' : way}${where}`]
}

function around({ value, span }: NonNullable<ResultIndicatorVerdict['match']>): string {
  const from = Math.max(0, (span?.start ?? 0) - 40)
  return excerpt(value, from, from + 160)
}
