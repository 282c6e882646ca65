/** Results as Markdown, short enough for a comment on a pull request. */
import {
  type AttackResults,
  compareVerdicts,
  type Results,
  statisticsOf,
  suiteStatistics,
  summaryOf,
} from '@joust/arena'
import { count, evidenceLines, rateText, taskFaults } from '../content/attack-lines.ts'
import type { ReportInput } from '../content/input.ts'
import { suiteNotes } from '../content/suite-notes.ts'
import { markdownCode } from '../syntax/markdown-code.ts'

/** GitHub takes 65,536 characters in a comment; what others put around it needs some. */
const LONGEST = 55_000
const MOST_DETAILS = 20

/** What is to be said of all results together, then one part for each of them. */
export function renderMarkdown(results: ReportInput | readonly ReportInput[]): string {
  const all: readonly ReportInput[] = 'attacks' in results ? [results] : results
  const notes = suiteNotes(all).map((note) => `**${note}**`)
  return [...notes, ...all.map((one) => part(one, LONGEST / all.length).trimEnd())].join('\n\n').concat('\n')
}

/** What happened in a sentence, a table of attacks, worst first, and what shows it. */
function part(results: Results, longest: number): string {
  const attacks = results.attacks.toSorted(
    (a, b) => compareVerdicts(a.verdict, b.verdict) || (a.file < b.file ? -1 : a.file > b.file ? 1 : 0),
  )
  const head = [...intro(results), '', ...columns]
  const rows = attacks.map(row)
  const shown = fitting(rows, longest * 0.6)
  const more = rows.length - shown.length
  const table = [...head, ...shown, ...(more > 0 ? ['', `And ${count(more, 'more attack')}.`] : [])].join('\n')
  const told = attacks.filter(hasNews).slice(0, MOST_DETAILS)
  const details = fitting(told.map(detail), longest - table.length)
  return `${[table, ...(details.length === 0 ? [] : ['### What was seen', details.join('\n')])].join('\n\n')}\n`
}

function intro(results: Results): string[] {
  const { attacks, trials } = summaryOf(results)
  const { target, stopped } = results
  const suite = suiteStatistics(results)
  const facts = [
    `Target: ${target.kind} ${markdownCode(target.name)}`,
    count(trials.total, 'trial'),
    ...(attacks.partial === 0 ? [] : [`${attacks.partial} in part`]),
    ...(suite.errors === 0 ? [] : [`**${count(suite.errors, 'trial')} without a verdict**`]),
    ...(suite.flaky === 0 ? [] : [`${suite.flaky} flaky`]),
  ]
  const rates = [
    ...(suite.attacks === undefined ? [] : [`Went through at least once: ${rateText(suite.attacks)}`]),
    ...(suite.utility === undefined ? [] : [`Utility under attack: ${rateText(suite.utility)}`]),
  ]
  return [
    `## Joust: ${attacks.exploited} of ${count(attacks.total, 'attack')} went through`,
    '',
    facts.join(' · '),
    ...(rates.length === 0 ? [] : ['', rates.join(' · ')]),
    ...(stopped === undefined ? [] : ['', `**Not complete:** ${markdownCode(stopped.message)}`]),
  ]
}

const columns = [
  '| verdict | attack | severity | success (95 %) | utility | errors |',
  '| --- | --- | --- | --- | --- | --- |',
]

const marks = {
  exploited: '🔴 exploited',
  partial: '🟠 partial',
  error: '⚪ error',
  not_exploited: '🟢 resisted',
} as const

function row(results: AttackResults): string {
  const { verdict, attack } = results
  const { success, flaky, counts, utility } = statisticsOf(results)
  const tier = verdict.max_tier === undefined || verdict.result === 'not_exploited' ? '' : ` (${verdict.max_tier})`
  const cells = [
    `${marks[verdict.result]}${tier}`,
    nameOf(results),
    attack.severity ?? '–',
    success === undefined ? '–' : `${rateText(success)}${flaky ? ', flaky' : ''}`,
    utility === undefined ? (taskFaults(results).length > 0 ? 'not known' : '–') : rateText(utility),
    counts.error === 0 ? '–' : String(counts.error),
  ]
  return `| ${cells.join(' | ')} |`
}

function hasNews(results: AttackResults): boolean {
  return results.verdict.result !== 'not_exploited' || taskFaults(results).length > 0
}

function detail(results: AttackResults): string {
  const lines = [...evidenceLines(results).slice(0, 4), ...taskFaults(results).slice(0, 2)]
  return [
    `- ${nameOf(results)} in ${markdownCode(results.file)}`,
    ...lines.map((line) => `  - ${markdownCode(line)}`),
  ].join('\n')
}

function nameOf({ attack }: AttackResults): string {
  return markdownCode(attack.id === undefined ? attack.name : `${attack.id} ${attack.name}`)
}

/** As many as fit into so many characters. */
function fitting(parts: readonly string[], most: number): string[] {
  let length = 0
  const fits = parts.findIndex((part) => {
    length += part.length + 2
    return length > most
  })
  return fits < 0 ? [...parts] : parts.slice(0, fits)
}
