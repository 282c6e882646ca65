/** The evidence for a result in one or two lines. */

import type { Match } from '@joust/oatf'
import {
  type AttackResults,
  decisiveMatch,
  type ResultIndicatorVerdict,
  type ResultTarget,
  wayOf,
} from '@joust/results'
import { printable } from '@joust/source'
import type { Colours } from '../terminal/colours.ts'
import { columnsOf, fit } from './fit.ts'

/** Lines for an attack that got through: the indicator, and the message with the matched text. */
export function happenedLines(
  results: Pick<AttackResults, 'attack' | 'verdict' | 'counted'>,
  kind: ResultTarget['kind'],
  colours: Colours,
  columns: number,
): string[] {
  const decisive = decisiveMatch(results)
  if (decisive === undefined) return []
  const { indicator, verdict } = decisive
  const what = printable(indicator?.description?.trim() ?? verdict.indicator_id)
  const summary = indicator?.tier === undefined ? what : `${indicator.tier}: ${what}`
  return [fit(summary, columns), verdictEvidence(verdict, kind, colours, columns)].filter((line) => line !== '')
}

/**
 * The evidence of a verdict, such as `agent → ledger, tools/call, arguments.iban: XX11…`, with the matched text
 * highlighted.
 */
export function verdictEvidence(
  { entry, match, evidence }: ResultIndicatorVerdict,
  kind: ResultTarget['kind'] | undefined,
  colours: Colours,
  columns: number,
): string {
  const place = placeOf(entry, match?.path ?? '', kind, Math.max(20, columns - FEWEST))
  const lead = place === '' ? '' : `${place}: `
  const room = columns - columnsOf(lead)
  if (match !== undefined) return `${lead}${excerpt(match, colours, room)}`
  return evidence === undefined ? place : `${lead}${fit(printable(evidence), room)}`
}

/** Minimum width of the matched text in columns. */
const FEWEST = 24

/**
 * The location of a match. The operation is omitted if it does not fit, because the matched field is more informative.
 */
function placeOf(
  entry: ResultIndicatorVerdict['entry'],
  path: string,
  kind: ResultTarget['kind'] | undefined,
  columns: number,
): string {
  const within = (way: string) => printable([way, path].filter((part) => part !== '').join(', '))
  if (entry === undefined) return fit(within(''), columns)
  const whole = within(wayOf(entry, kind))
  return columnsOf(whole) <= columns || path === ''
    ? fit(whole, columns)
    : fit(within(wayOf({ ...entry, surface: '' }, kind)), columns)
}

/** The text around a match, cut to a number of columns, with the match highlighted. */
export function excerpt({ value, span }: Match, colours: Colours, columns: number): string {
  if (span === undefined) return fit(printable(value), columns)
  const matched = Math.min(span.end - span.start, columns)
  const before = Math.floor((columns - matched) / 3)
  const start = value.length <= columns ? 0 : Math.max(0, Math.min(span.start - before, value.length - columns))
  const lead = fitEnd(
    `${start > 0 ? '…' : ''}${printable(value.slice(start > 0 ? start + 1 : 0, span.start))}`,
    columns,
  )
  const matchText = fit(printable(value.slice(span.start, span.end)), columns - columnsOf(lead))
  const rest = fit(printable(value.slice(span.end)), columns - columnsOf(lead) - columnsOf(matchText))
  return `${lead}${colours.inverse(matchText)}${rest}`
}

/** Truncates the text before a match so that the match fits. */
function fitEnd(text: string, columns: number): string {
  const most = Math.max(1, Math.floor(columns / 2))
  if (columnsOf(text) <= most) return text
  const characters = [...text]
  while (columnsOf(characters.join('')) > most - 1) characters.shift()
  return `…${characters.join('')}`
}
