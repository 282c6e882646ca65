import { type Outcome, outcomes, type SummaryRow } from '@joust/results'
import type { Colours } from '../terminal/colours.ts'
import { cell, columnsOf } from './fit.ts'

const heads: { readonly [outcome in Outcome]: string } = {
  exploited: 'exploited',
  partial: 'partial',
  inconclusive: 'inconclusive',
  resisted: 'resisted',
  not_applicable: 'n/a',
}

/** Counts outcomes by severity or category; outcomes that do not occur are omitted, names truncated to fit. */
export function countTable(
  title: string,
  rows: readonly SummaryRow[],
  colours: Colours,
  columns = Number.POSITIVE_INFINITY,
): string {
  const columnsShown = outcomes.filter((outcome) => rows.some(({ attacks }) => attacks[outcome] > 0))
  const used = columnsShown.reduce((sum, outcome) => sum + heads[outcome].length + 2, 0)
  const names = rows.map(({ name = 'none' }) => name)
  const width = Math.max(4, Math.min(columns - used, Math.max(...[title, ...names].map(columnsOf))))
  const line = (name: string, cellOf: (outcome: Outcome) => string) =>
    [cell(name, width), ...columnsShown.map((outcome) => cellOf(outcome).padStart(heads[outcome].length))].join('  ')
  return [
    colours.bold(line(title, (outcome) => heads[outcome])),
    ...rows.map(({ attacks }, index) => line(names[index] ?? '', (outcome) => String(attacks[outcome] || '·'))),
  ].join('\n')
}
