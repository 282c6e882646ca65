/** Outcomes as short texts. */
import { type Assessment, type AttackResults, exposureText, type Outcome, outcomes, resistedText } from '@joust/results'
import { bothEnds, firstFew, printable } from '@joust/source'
import type { Colours } from './colours.ts'
import { fit, wrap } from './fit.ts'

/** Columns that fit every outcome. */
export const WIDEST_OUTCOME = widest(outcomes)

/** The width of the longest name in columns. */
export function widest(names: readonly string[]): number {
  return Math.max(...names.map((name) => name.length))
}

/** An outcome, coloured, with a fixed width. */
export function outcomeText(outcome: Outcome, colours: Colours, width = WIDEST_OUTCOME): string {
  return paintOf(outcome, colours)(outcome.padEnd(width))
}

/** The colour of an outcome. */
export function paintOf(outcome: Outcome, colours: Colours): (text: string) => string {
  if (outcome === 'resisted') return colours.green
  if (outcome === 'inconclusive') return colours.yellow
  return outcome === 'not_applicable' ? colours.dim : colours.red
}

const MOST_REASONS = 3
export const INDENT = '    '

/** The reasons for an inconclusive outcome, indented below its line. */
export function reasonLines(
  { reasons }: Pick<Assessment, 'reasons'>,
  colours: Colours,
  columns = Number.POSITIVE_INFINITY,
  most = MOST_REASONS,
): string[] {
  return firstFew(reasons, most, excerpt)
    .flatMap((text) => wrap(text, columns - INDENT.length))
    .map((text) => `${INDENT}${colours.yellow(text)}`)
}

/** The evidence of a pass, or else the planted texts that the agent was sent. */
export function exposureLines(
  attack: Pick<AttackResults, 'outcome' | 'exposure' | 'controls' | 'trials'>,
  colours: Colours,
  columns = Number.POSITIVE_INFINITY,
): string[] {
  const { outcome, exposure } = attack
  if (outcome !== 'resisted' && outcome !== 'inconclusive') return []
  const text = resistedText(attack) ?? exposureText(exposure, WIDEST_PATH)
  return text === undefined ? [] : [`${INDENT}${colours.dim(fit(printable(text), columns - INDENT.length))}`]
}

/** Maximum characters of a path within a line. */
export const WIDEST_PATH = 60

const HEAD = 90
const TAIL = 140

/** Shortens a long reason in the middle: the last output of a program is the most informative. */
function excerpt(text: string): string {
  return bothEnds(printable(text), HEAD, TAIL)
}
