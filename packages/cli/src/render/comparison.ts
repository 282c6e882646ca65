/** What has changed between two results, for people. */
import type { AttackComparison, ChangeStatus, Comparison } from '@joust/arena'
import { cut, printable } from '@joust/source'
import type { Colours } from './colours.ts'

const WIDEST_NAME = 60

/** Bad news first. */
const order: readonly ChangeStatus[] = ['new', 'worse', 'undecided', 'missing', 'added', 'fixed', 'better', 'unchanged']

/** A line for each attack, then the counts. */
export function renderComparison({ attacks, counts, regressions }: Comparison, colours: Colours): string {
  const bad = new Set(regressions)
  const sorted = attacks.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
  const width = Math.max(0, ...sorted.map(({ name }) => Math.min(name.length, WIDEST_NAME)))
  const lines = sorted.map((attack) => line(attack, bad.has(attack), width, colours))
  const parts = order.filter((status) => counts[status] > 0).map((status) => `${counts[status]} ${status}`)
  const verdict = `${regressions.length} ${regressions.length === 1 ? 'regression' : 'regressions'}`
  const summary = [...parts, (regressions.length > 0 ? colours.red : colours.green)(verdict)].join(', ')
  return `${[...lines, ...(lines.length > 0 ? [''] : []), summary].join('\n')}\n`
}

function line(attack: AttackComparison, regression: boolean, width: number, colours: Colours): string {
  const { status, name, file, before, after, changed } = attack
  const paint = regression ? colours.red : status === 'fixed' || status === 'better' ? colours.green : colours.dim
  const word = paint(status.padEnd('undecided'.length))
  const shown = printable(cut(name, WIDEST_NAME - 1)).padEnd(width)
  const p = attack.reason === undefined ? testText(attack.test) : ''
  const note = changed === true ? '  the document has changed' : ''
  return `${word}  ${shown}  ${side(before)} -> ${side(after)}${p}${utilityText(attack)}${note}  ${colours.dim(printable(file))}`
}

/** What the status rests on. */
function testText(test: AttackComparison['test']): string {
  return test === undefined ? '' : `  p ${test.p < 0.001 ? '< 0.001' : `= ${test.p.toFixed(3)}`} (${test.name})`
}

/** Trials in which the user's task was done, where that has changed. */
function utilityText({ utility }: AttackComparison): string {
  if (utility === undefined || utility.status === 'unchanged') return ''
  const { before, after, status, test } = utility
  return `  utility ${status}: ${before.done}/${before.of} -> ${after.done}/${after.of}${testText(test)}`
}

/** Trials that fell, of those with a verdict. */
function side(of: AttackComparison['before']): string {
  if (of === undefined) return 'not there'
  const errors = of.errors === 0 ? '' : ` +${of.errors} ${of.errors === 1 ? 'error' : 'errors'}`
  return `${of.fell}/${of.judged}${errors}`
}
