/** What has changed between two results, for people. */
import type { AttackComparison, ChangeStatus, Comparison } from '@joust/arena'
import { count, cut, printable } from '@joust/source'
import type { Colours } from './colours.ts'

const WIDEST_NAME = 60

/** Bad news first. */
const order: readonly ChangeStatus[] = ['new', 'worse', 'undecided', 'missing', 'added', 'fixed', 'better', 'unchanged']

/** A line for each attack, then the counts. */
export function renderComparison({ attacks, counts, regressions }: Comparison, colours: Colours): string {
  const bad = new Set(regressions)
  const sorted = attacks.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
  const several = new Set(attacks.map(({ target }) => target)).size > 1
  const rows = sorted.map((attack) => {
    const { name, target } = attack
    return { attack, name: printable(cut(several ? `${name} on ${target}` : name, WIDEST_NAME - 1)) }
  })
  const width = Math.max(0, ...rows.map(({ name }) => name.length))
  const lines = rows.map(({ attack, name }) => line(attack, name.padEnd(width), bad.has(attack), colours))
  const parts = order.filter((status) => counts[status] > 0).map((status) => `${counts[status]} ${status}`)
  const verdict = count(regressions.length, 'regression')
  const summary = [...parts, (regressions.length > 0 ? colours.red : colours.green)(verdict)].join(', ')
  return `${[...lines, ...(lines.length > 0 ? [''] : []), summary].join('\n')}\n`
}

function line(attack: AttackComparison, name: string, regression: boolean, colours: Colours): string {
  const { status, file, before, after, changed } = attack
  const paint = regression ? colours.red : status === 'fixed' || status === 'better' ? colours.green : colours.dim
  const word = paint(status.padEnd('undecided'.length))
  const p = attack.reason === undefined ? testText(attack.test) : ''
  const note = changed === true ? '  the document has changed' : ''
  return `${word}  ${name}  ${side(before)} -> ${side(after)}${p}${utilityText(attack)}${note}  ${colours.dim(printable(file))}`
}

/** What the status is based on. */
function testText(test: AttackComparison['test']): string {
  return test === undefined ? '' : `  p ${test.p < 0.001 ? '< 0.001' : `= ${test.p.toFixed(3)}`} (${test.name})`
}

/** Trials in which the user's task was done, where that has changed. */
function utilityText({ utility }: AttackComparison): string {
  if (utility === undefined || utility.status === 'unchanged') return ''
  const { before, after, status, test } = utility
  return `  utility ${status}: ${before.done}/${before.of} -> ${after.done}/${after.of}${testText(test)}`
}

/** Trials that fell, of those that were judged. */
function side(of: AttackComparison['before']): string {
  if (of === undefined) return 'not there'
  return `${of.fell}/${of.judged}${of.inconclusive === 0 ? '' : ` +${of.inconclusive} inconclusive`}`
}
