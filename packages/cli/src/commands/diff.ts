/** `joust diff A B`: compares two results. */
import {
  type AttackComparison,
  type ChangeStatus,
  type Comparison,
  changeStatuses,
  compareResults,
} from '@joust/results'
import { count, cut, jsonText, printable } from '@joust/source'
import type { DiffOptions } from '../options/results.ts'
import { readResultsAt } from '../report/read-results.ts'
import { type Colours, coloursFor } from '../terminal/colours.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, tell, wrongUsage } from '../terminal/io.ts'

/** Prints the changes; with `failOn`, returns 1 for a regression or an attack that can no longer be judged. */
export async function diff(before: string, after: string, options: DiffOptions, io: Io): Promise<number> {
  const old = await readResultsAt(before, io)
  const now = await readResultsAt(after, io)
  if (!old.ok) return old.error
  if (!now.ok) return now.error
  const comparison = compareResults(old.value.results, now.value.results, { force: options.force })
  if (!comparison.ok) {
    const reasons = comparison.error.map((reason) => `cannot be compared: ${reason}`)
    return wrongUsage([...reasons, 'use --force to compare them anyway'], io)
  }
  const { unlike, models, regressions } = comparison.value
  for (const reason of unlike) tell(io, `compared although ${reason}`)
  for (const change of models) tell(io, `compared although the ${change}`)
  if (options.json) io.stdout.write(jsonText(comparison.value))
  else io.stdout.write(renderComparison(comparison.value, coloursFor(io, 'stdout')))
  return options.failOn === 'regression' && regressions.length > 0 ? exitCodes.findings : exitCodes.ok
}

const WIDEST_NAME = 60

const words: { readonly [status in ChangeStatus]?: string } = { untested: 'no longer tested' }

function renderComparison({ attacks, counts, regressions }: Comparison, colours: Colours): string {
  const bad = new Set(regressions)
  const rank = ({ status }: AttackComparison) => changeStatuses.indexOf(status)
  const sorted = attacks.toSorted((a, b) => rank(a) - rank(b))
  const several = new Set(attacks.map(({ target }) => target)).size > 1
  const rows = sorted.map((attack) => {
    const { name, target } = attack
    return { attack, name: printable(cut(several ? `${name} on ${target}` : name, WIDEST_NAME - 1)) }
  })
  const width = Math.max(0, ...rows.map(({ name }) => name.length))
  const widest = Math.max('undecided'.length, ...attacks.map(({ status }) => wordOf(status).length))
  const lines = rows.map(({ attack, name }) => {
    const paint = outcomeColour(attack, bad.has(attack), colours)
    return `${paint(wordOf(attack.status).padEnd(widest))}  ${line(attack, name.padEnd(width), colours)}`
  })
  const statuses = changeStatuses.filter((status) => counts[status] > 0)
  const parts = statuses.map((status) => `${counts[status]} ${wordOf(status)}`)
  const verdict = count(regressions.length, 'regression')
  const summary = [...parts, (regressions.length > 0 ? colours.red : colours.green)(verdict)].join(', ')
  return `${[...lines, ...(lines.length > 0 ? [''] : []), summary].join('\n')}\n`
}

function wordOf(status: ChangeStatus): string {
  return words[status] ?? status
}

function outcomeColour(
  { status }: AttackComparison,
  isRegression: boolean,
  colours: Colours,
): (text: string) => string {
  if (isRegression) return colours.red
  return status === 'fixed' || status === 'better' ? colours.green : colours.dim
}

function line(attack: AttackComparison, name: string, colours: Colours): string {
  const { file, before, after, changed } = attack
  const p = attack.reason === undefined ? testText(attack.test) : ''
  const note = changed === true ? '  the document has changed' : ''
  return `${name}  ${side(before)} -> ${side(after)}${p}${utilityText(attack)}${note}  ${colours.dim(printable(file))}`
}

function testText(test: AttackComparison['test']): string {
  return test === undefined ? '' : `  p ${test.p < 0.001 ? '< 0.001' : `= ${test.p.toFixed(3)}`} (${test.name})`
}

function utilityText({ utility }: AttackComparison): string {
  if (utility === undefined || utility.status === 'unchanged') return ''
  const { before, after, status, test } = utility
  return `  utility ${status}: ${before.done}/${before.of} -> ${after.done}/${after.of}${testText(test)}`
}

function side(of: AttackComparison['before']): string {
  if (of === undefined) return 'missing'
  if (of.not_applicable === true) return 'not applicable'
  const { fell, judged, interval, inconclusive } = of
  const percent = (share: number) => Math.round(share * 100)
  const range = interval === undefined ? '' : ` (${percent(interval.low)}–${percent(interval.high)} %, always valid)`
  return `${fell}/${judged}${range}${inconclusive === 0 ? '' : ` +${inconclusive} inconclusive`}`
}
