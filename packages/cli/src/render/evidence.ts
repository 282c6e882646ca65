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

/** Describes a successful attack: the indicator, and the message with the matched text. */
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

/** Describes the evidence for a verdict, such as `agent → ledger, tools/call, arguments.iban: XX11…`. */
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

/** Minimum number of columns for the matched text. */
const FEWEST = 24

/** Omits the operation if it does not fit, because the matched field is more informative. */
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

/** Returns a text with the match highlighted. A text that does not fit is reduced to the line of the match and cut. */
export function excerpt({ value, span }: Match, colours: Colours, columns: number): string {
  if (span === undefined) return fit(printable(value), columns)
  const matched = printable(value.slice(span.start, span.end))
  const isWhole = columnsOf(printable(value)) <= columns
  const start = isWhole ? 0 : value.slice(0, span.start).lastIndexOf('\n') + 1
  const lineEnd = isWhole ? -1 : value.indexOf('\n', span.end)
  const end = lineEnd < 0 ? value.length : lineEnd
  const before = `${start > 0 ? '…' : ''}${printable(value.slice(start, span.start))}`
  const after = `${printable(value.slice(span.end, end))}${end < value.length ? '…' : ''}`
  const room = columns - columnsOf(matched)
  const least = Math.floor(Math.max(room, columns / 2) / 3)
  const lead = lastWords(before, Math.max(least, room - columnsOf(after)))
  const matchText = fit(matched, columns - columnsOf(lead))
  const rest = matchText === matched ? firstWords(after, room - columnsOf(lead)) : ''
  return `${lead}${colours.inverse(matchText)}${rest}`
}

/** Truncates a text after a word, or within its only word. */
function firstWords(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text
  const fitted = fit(text, columns)
  const next = [...text][[...fitted].length - 1]
  const isCut = next !== undefined && /\S/.test(next)
  return isCut ? fitted.replace(/\s\S*…$/, '…') : fitted.replace(/\s+…$/, '…')
}

/** Truncates the start of a text before a word, or within its only word. */
function lastWords(text: string, columns: number): string {
  const reversed = [...text].reverse().join('')
  const words = [...firstWords(reversed, columns)].reverse().join('')
  return words === '…' && columns > 1 && /\s$/.test(text) ? '… ' : words
}
