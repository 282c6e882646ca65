/** How many attacks had which outcome, by severity or category. */
import { type Outcome, outcomes, type SummaryRow } from '@joust/arena'
import type { Colours } from './colours.ts'
import { cell, columnsOf } from './fit.ts'

/** The column heads; one outcome is too long for what is below it. */
const heads: { readonly [outcome in Outcome]: string } = {
  exploited: 'exploited',
  partial: 'partial',
  inconclusive: 'inconclusive',
  resisted: 'resisted',
  not_applicable: 'n/a',
}

/** A row for each name, a column for each outcome that occurs. If it is too wide, names are cut. */
export function countTable(
  title: string,
  rows: readonly SummaryRow[],
  colours: Colours,
  columns = Number.POSITIVE_INFINITY,
): string {
  const shown = outcomes.filter((outcome) => rows.some(({ attacks }) => attacks[outcome] > 0))
  const taken = shown.reduce((sum, outcome) => sum + heads[outcome].length + 2, 0)
  const names = rows.map(({ name = 'none' }) => name)
  const width = Math.max(4, Math.min(columns - taken, Math.max(...[title, ...names].map(columnsOf))))
  const line = (name: string, cellOf: (outcome: Outcome) => string) =>
    [cell(name, width), ...shown.map((outcome) => cellOf(outcome).padStart(heads[outcome].length))].join('  ')
  return [
    colours.bold(line(title, (outcome) => heads[outcome])),
    ...rows.map(({ attacks }, index) => line(names[index] ?? '', (outcome) => String(attacks[outcome] || '·'))),
  ].join('\n')
}
