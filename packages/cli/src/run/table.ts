/** Results as tables for a terminal. */
import {
  type AttackResults,
  adaptiveSummary,
  compareOutcomes,
  outcomes,
  type Results,
  statisticsOf,
  suiteStatistics,
  summaryOf,
  type TargetResults,
  tierOf,
} from '@joust/arena'
import { beginning, printable } from '@joust/source'
import type { Colours } from '../render/colours.ts'
import { exposureLines, outcomeText, reasonLines } from '../render/outcome-text.ts'
import { count } from './count.ts'

/** For each target its attacks with their outcomes, worst first, then counts by category and severity. */
export function renderResults({ targets, stopped }: Results, colours: Colours): string {
  const note = stopped === undefined ? '' : `NOT COMPLETE: ${printable(stopped.message)}\n`
  const parts = targets.map((target) => {
    const head = targets.length > 1 ? `${colours.bold(printable(`${target.kind} ${target.name}`))}\n\n` : ''
    return `${head}${renderTarget(target, colours)}`
  })
  return `${parts.join('\n')}${note}`
}

function renderTarget(target: TargetResults, colours: Colours): string {
  const attacks = target.attacks.toSorted((a, b) => compareOutcomes(a, b) || (a.file < b.file ? -1 : 1))
  const width = Math.max(...attacks.map(({ attack }) => Math.min(attack.name.length, 60)), 10)
  const rows = attacks.map((attack) => row(attack, width, colours))
  const tables = [countTable('category', target, colours), countTable('severity', target, colours)]
  return `${[rows.join('\n'), ...tables, ...adaptive(target, colours), totals(target)].join('\n\n')}\n`
}

function row(results: AttackResults, width: number, colours: Colours): string {
  const { attack, outcome, trials, file } = results
  const rate = trials.length > 1 ? ` ${rateOf({ trials })}` : ''
  const name = printable(beginning(attack.name, 60)).padEnd(width)
  const tier = (tierOf(results) ?? '').padEnd('boundary_breach'.length)
  const severity = (attack.severity ?? '').padEnd('informational'.length)
  const line = `${outcomeText(outcome, colours)}${rate}  ${tier}  ${severity}  ${name}  ${colours.dim(printable(file))}`
  return [line, ...reasonLines(results, colours), ...exposureLines(results, colours)].join('\n')
}

/** Successes of the attack among the trials that were judged; the others are named beside. */
function rateOf({ trials }: Pick<AttackResults, 'trials'>): string {
  const { counts, judged, flaky } = statisticsOf({ trials })
  const notes = [
    ...(flaky ? ['flaky'] : []),
    ...(counts.inconclusive > 0 ? [`${counts.inconclusive} inconclusive`] : []),
    ...(counts.not_applicable > 0 ? [`${counts.not_applicable} not_applicable`] : []),
  ]
  return `${counts.exploited}/${judged}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
}

function countTable(by: 'category' | 'severity', { attacks }: TargetResults, colours: Colours): string {
  const groups = new Map<string, Map<string, number>>()
  for (const { attack, outcome } of attacks) {
    const group = groups.get(attack[by] ?? 'none') ?? new Map<string, number>()
    group.set(outcome, (group.get(outcome) ?? 0) + 1)
    groups.set(attack[by] ?? 'none', group)
  }
  const width = Math.max(by.length, ...[...groups.keys()].map((name) => name.length))
  const head = `${by.padEnd(width)}  ${outcomes.map((name) => name.padStart(15)).join('')}`
  const lines = [...groups].map(([name, counts]) => {
    const cells = outcomes.map((outcome) => String(counts.get(outcome) ?? '·').padStart(15))
    return `${name.padEnd(width)}  ${cells.join('')}`
  })
  return [colours.bold(head), ...lines].join('\n')
}

/** What the fixed texts did, what their rewritings did beyond that, and what it took. */
function adaptive(target: TargetResults, colours: Colours): string[] {
  const found = adaptiveSummary(target)
  if (found === undefined) return []
  const { attacks, static_successes, successes, attempts, tokens } = found
  const lines = attacks.map(({ name, static_success, first, attempts: tries }) => {
    const fixed = static_success ? 'static: exploited' : 'static: no success'
    const adapted =
      first === undefined
        ? `adaptive: no success in ${count(tries, 'try', 'tries')}`
        : `adaptive: exploited at try ${first.attempt} of ${tries}, by ${first.by.join(' + ')}`
    return `${printable(beginning(name, 60))}: ${fixed}; ${adapted}`
  })
  const cost = tokens === 0 ? '' : `, ${tokens} tokens`
  const total = `static success ${static_successes}/${attacks.length}, with adaptation ${successes}/${attacks.length}; ${count(attempts, 'try', 'tries')}${cost}`
  return [[colours.bold('static and adaptive'), ...lines, total].join('\n')]
}

function totals(target: TargetResults): string {
  const { attacks, trials } = summaryOf(target)
  const { utility } = suiteStatistics(target)
  const parts = outcomes.map((outcome) => `${attacks[outcome]} ${outcome}`)
  const task = utility === undefined ? '' : `\nthe user's task was done in ${utility.hits} of ${utility.of} judged runs`
  const { control } = target
  const note = control?.status === 'skipped' ? `\nno control: ${printable(control.reasons.join('; '))}` : ''
  return `${count(attacks.total, 'attack')}, ${count(trials.total, 'run')}: ${parts.join(', ')}${task}${note}`
}
