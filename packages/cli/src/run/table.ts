/** Results as tables for a terminal. */
import { type AttackResults, type Results, statisticsOf } from '@joust/arena'
import { printable } from '@joust/source'
import type { Colours } from '../render/colours.ts'
import { count } from './count.ts'
import { excerpt, reasonOf, verdictText } from './verdict-text.ts'

/** The attacks with their verdicts, worst first, then counts by category and severity. */
export function renderResults(results: Results, colours: Colours): string {
  const order = ['exploited', 'partial', 'error', 'not_exploited']
  const attacks = [...results.attacks].sort(
    (a, b) => order.indexOf(a.verdict.result) - order.indexOf(b.verdict.result) || (a.file < b.file ? -1 : 1),
  )
  const width = Math.max(...attacks.map(({ attack }) => Math.min(attack.name.length, 60)), 10)
  const rows = attacks.map((attack) => row(attack, width, colours))
  const tables = [countTable('category', results, colours), countTable('severity', results, colours)]
  return `${[rows.join('\n'), ...tables, totals(results)].join('\n\n')}\n`
}

function row({ attack, verdict, trials, file }: AttackResults, width: number, colours: Colours): string {
  const rate = trials.length > 1 ? ` ${rateOf({ trials })}` : ''
  const name = printable(attack.name.slice(0, 60)).padEnd(width)
  const tier = (verdict.max_tier ?? '').padEnd('boundary_breach'.length)
  const severity = (attack.severity ?? '').padEnd('informational'.length)
  const reason = verdict.result === 'error' ? reasonOf(verdict) : undefined
  const why = reason === undefined ? '' : `\n    ${colours.yellow(excerpt(reason))}`
  return `${verdictText(verdict, colours)}${rate}  ${tier}  ${severity}  ${name}  ${colours.dim(printable(file))}${why}`
}

/** Successes of the attack among the trials that were judged; the others are named beside. */
function rateOf({ trials }: Pick<AttackResults, 'trials'>): string {
  const { counts, judged, flaky } = statisticsOf({ trials })
  const notes = [...(flaky ? ['flaky'] : []), ...(counts.error > 0 ? [count(counts.error, 'error')] : [])]
  return `${counts.exploited}/${judged}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
}

const results = ['exploited', 'partial', 'not_exploited', 'error'] as const

function countTable(by: 'category' | 'severity', { attacks }: Results, colours: Colours): string {
  const groups = new Map<string, Map<string, number>>()
  for (const { attack, verdict } of attacks) {
    const group = groups.get(attack[by] ?? 'none') ?? new Map<string, number>()
    group.set(verdict.result, (group.get(verdict.result) ?? 0) + 1)
    groups.set(attack[by] ?? 'none', group)
  }
  const width = Math.max(by.length, ...[...groups.keys()].map((name) => name.length))
  const head = `${by.padEnd(width)}  ${results.map((name) => name.padStart(15)).join('')}`
  const lines = [...groups].map(([name, counts]) => {
    const cells = results.map((result) => String(counts.get(result) ?? '·').padStart(15))
    return `${name.padEnd(width)}  ${cells.join('')}`
  })
  return [colours.bold(head), ...lines].join('\n')
}

function totals({ attacks, stopped }: Results): string {
  const number = (result: string) => attacks.filter(({ verdict }) => verdict.result === result).length
  const runs = attacks.reduce((sum, { trials }) => sum + trials.length, 0)
  const parts = results.map((result) => `${number(result)} ${result}`)
  const note = stopped === undefined ? '' : `\nNOT COMPLETE: ${stopped.message}`
  return `${count(attacks.length, 'attack')}, ${count(runs, 'run')}: ${parts.join(', ')}${note}`
}
