/** `joust coverage DIR`: tested techniques by protocol, with their outcomes. */
import { type Counts, type Coverage, coverageOf, type TechniqueCoverage } from '@joust/results'
import { cut, jsonText, printable } from '@joust/source'
import type { CoverageOptions } from '../options/results.ts'
import { type Colours, coloursFor } from '../render/colours.ts'
import { readResultsAt } from '../report/read-results.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Io } from '../terminal/io.ts'

/** Prints the coverage of results. */
export async function coverage(path: string, options: CoverageOptions, io: Io): Promise<number> {
  const stored = await readResultsAt(path, io)
  if (!stored.ok) return stored.error
  const techniques = coverageOf({ attacks: stored.value.results.targets.flatMap(({ attacks }) => attacks) })
  io.stdout.write(options.json ? jsonText(techniques) : renderCoverage(techniques, coloursFor(io, 'stdout')))
  return exitCodes.ok
}

const WIDEST = 59

/** A row per technique, a column per protocol: attacks that got through / all. */
function renderCoverage({ protocols, techniques, unmapped }: Coverage, colours: Colours): string {
  const names = techniques.map(nameOf)
  const width = Math.max('technique'.length, ...names.map((name) => name.length))
  const columns = protocols.map((protocol) => printable(cut(protocol, WIDEST)))
  const cells = techniques.map((technique) => protocols.map((protocol) => cell(technique, protocol)))
  const widths = columns.map((column, at) => Math.max(column.length, ...cells.map((row) => (row[at] ?? '').length)))
  const pad = (row: readonly string[]) => row.map((text, at) => text.padEnd(widths[at] ?? 0)).join('  ')
  const head = colours.bold(`${'technique'.padEnd(width)}  ${pad(columns)}`.trimEnd())
  const rows = cells.map((row, at) => `${(names[at] ?? '').padEnd(width)}  ${pad(row)}`.trimEnd())
  const rest = unmapped.length === 0 ? [] : ['', `no technique: ${unmapped.map(printable).join(', ')}`]
  const legend = ['', 'attacks that got through / all; p partial, ? inconclusive, - not applicable']
  return `${[head, ...rows, ...legend, ...rest].join('\n')}\n`
}

function nameOf({ framework, id, name = '' }: TechniqueCoverage): string {
  return printable(cut(`${framework} ${id} ${name}`.trim(), WIDEST))
}

function cell({ protocols }: TechniqueCoverage, protocol: string): string {
  const row = protocols.find((one) => one.protocol === protocol)
  return row === undefined ? '·' : counted(row.attacks)
}

function counted({ exploited, partial, inconclusive, not_applicable, total }: Counts): string {
  const notes = [
    ...(partial > 0 ? [`${partial}p`] : []),
    ...(inconclusive > 0 ? [`${inconclusive}?`] : []),
    ...(not_applicable > 0 ? [`${not_applicable}-`] : []),
  ]
  return [`${exploited}/${total}`, ...notes].join(' ')
}
