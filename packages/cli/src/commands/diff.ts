/** `joust diff A B`: what has changed between two results. */
import { type AttackComparison, type ChangeStatus, type Comparison, compareResults } from '@joust/arena'
import { count, cut, jsonText, printable } from '@joust/source'
import type { DiffOptions } from '../options/results.ts'
import { type Colours, coloursFor } from '../render/colours.ts'
import { readResultsAt } from '../report/read-results.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, tell, wrongUsage } from '../terminal/io.ts'

/** Prints what has changed; with `failOn`, 1 when something got worse or can no longer be decided. */
export async function diff(before: string, after: string, options: DiffOptions, io: Io): Promise<number> {
  const old = await readResultsAt(before, io)
  const now = await readResultsAt(after, io)
  if (!old.ok) return old.error
  if (!now.ok) return now.error
  const comparison = compareResults(old.value.results, now.value.results, { force: options.force })
  if (!comparison.ok) {
    const reasons = comparison.error.map((reason) => `cannot be compared: ${reason}`)
    return wrongUsage([...reasons, '--force compares them anyway'], io)
  }
  const { unlike, regressions } = comparison.value
  for (const reason of unlike) tell(io, `compared although ${reason}`)
  if (options.json) io.stdout.write(jsonText(comparison.value))
  else io.stdout.write(renderComparison(comparison.value, coloursFor(io, 'stdout')))
  return options.failOn === 'regression' && regressions.length > 0 ? exitCodes.findings : exitCodes.ok
}

const WIDEST_NAME = 60

/** Bad news first. */
const order: readonly ChangeStatus[] = ['new', 'worse', 'undecided', 'missing', 'added', 'fixed', 'better', 'unchanged']

/** A line for each attack, then the counts. */
function renderComparison({ attacks, counts, regressions }: Comparison, colours: Colours): string {
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
