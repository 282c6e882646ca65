/** Outcomes as short texts. */
import { type Assessment, exposureText, type Outcome, outcomes } from '@joust/arena'
import { bothEnds, firstFew, printable } from '@joust/source'
import type { Colours } from './colours.ts'
import { fit, wrap } from './fit.ts'

/** Columns that fit every outcome. */
export const WIDEST_OUTCOME = widest(outcomes)

/** Columns of the longest of some names. */
export function widest(names: readonly string[]): number {
  return Math.max(...names.map((name) => name.length))
}

/** An outcome, coloured, with a fixed width. */
export function outcomeText(outcome: Outcome, colours: Colours, width = WIDEST_OUTCOME): string {
  return paintOf(outcome, colours)(outcome.padEnd(width))
}

/** Bad, good, or not known. */
export function paintOf(outcome: Outcome, colours: Colours): (text: string) => string {
  if (outcome === 'resisted') return colours.green
  if (outcome === 'inconclusive') return colours.yellow
  return outcome === 'not_applicable' ? colours.dim : colours.red
}

const MOST_REASONS = 3
export const INDENT = '    '

/** Why nothing can be said, for below the line that says so. */
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

/** What the agent was sent, where nothing that it did says more. */
export function exposureLines(
  { outcome, exposure }: Assessment,
  colours: Colours,
  columns = Number.POSITIVE_INFINITY,
): string[] {
  if (outcome !== 'resisted' && outcome !== 'inconclusive') return []
  const text = exposureText(exposure, WIDEST_PATH)
  return text === undefined ? [] : [`${INDENT}${colours.dim(fit(printable(text), columns - INDENT.length))}`]
}

/** Fits on a line of a terminal, with what is around it. */
export const WIDEST_PATH = 60

const HEAD = 90
const TAIL = 140

/** A long reason by its beginning and its end: what a program printed last says most. */
function excerpt(text: string): string {
  return bothEnds(printable(text), HEAD, TAIL)
}
