/** Renders results as Markdown that is short enough for a pull request comment. */
import {
  type AttackComparison,
  type AttackResults,
  type Comparison,
  compareListed,
  controlFacts,
  dollarText,
  flowMatrix,
  type Results,
  statisticsOf,
  stopperOf,
  stoppersOf,
  suiteStatistics,
  summaryOf,
  type TargetResults,
  usageOf,
  usageText,
} from '@joust/results'
import { count, cut, splitBlock } from '@joust/source'
import { evidenceLines, rateText, taskFaults, titleOf } from '../content/attack-lines.ts'
import type { ReportInput } from '../content/input.ts'
import { reportBounds } from '../content/limits.ts'
import { suiteNotes } from '../content/suite-notes.ts'
import { markdownBlock, markdownCode } from '../syntax/markdown.ts'

/**
 * Renders notes on all results, the comparison with a baseline, then a section per target.
 *
 * @example
 * await writeFile('summary.md', renderMarkdown(results))
 */
export function renderMarkdown(results: ReportInput | readonly ReportInput[], comparison?: Comparison): string {
  const all: readonly ReportInput[] = 'targets' in results ? [results] : results
  const notes = suiteNotes(all).map((note) => `**${note}**`)
  const targets = all.flatMap((one) => one.targets.map((target) => ({ target, results: one })))
  const parts = targets.map(({ target, results: of }) =>
    part(target, of, reportBounds.markdown / targets.length).trimEnd(),
  )
  const changes = comparison === undefined ? [] : changeLines(comparison, targets.length > 1)
  return [...notes, ...changes, ...parts].join('\n\n').concat('\n')
}

/** Returns counts by status, other possible causes of changes, and the attacks that fail a regression gate. */
function changeLines({ counts, regressions, models, unlike }: Comparison, several: boolean): string[] {
  const parts = Object.entries(counts).flatMap(([status, many]) => (many > 0 ? [`${many} ${status}`] : []))
  const rate = (side: AttackComparison['before']) => (side === undefined ? '–' : `${side.fell}/${side.judged}`)
  const lines = regressions.slice(0, reportBounds.markdownDetails).map(({ status, name, target, before, after }) => {
    const attack = `${markdownCode(name)}${several ? ` on ${markdownCode(target)}` : ''}`
    return `- ${status}: ${attack}, ${rate(before)} → ${rate(after)}`
  })
  const more = regressions.length - lines.length
  const list = more > 0 ? [...lines, `- and ${count(more, 'more attack')}`] : lines
  const causes = [...models.map((change) => `the ${change}`), ...unlike]
  const despite = causes.map((cause) => `Compared with the baseline even though ${markdownCode(cause)}.`)
  return [`**Against the baseline: ${parts.join(', ')}**`, ...despite, ...(list.length === 0 ? [] : [list.join('\n')])]
}

function part(target: TargetResults, { stopped }: Results, longest: number): string {
  const attacks = target.attacks.toSorted(compareListed)
  const priced = target.price !== undefined
  const names = [...columns, ...(priced ? ['cost'] : [])]
  const head = [...intro(target, stopped), '', line(names), line(names.map(() => '---'))]
  const rows = attacks.map((attack) => line([...cellsOf(attack), ...(priced ? [costOf(attack)] : [])]))
  const visible = fitting(rows, longest * 0.6)
  const more = rows.length - visible.length
  const table = [...head, ...visible, ...(more > 0 ? ['', `And ${count(more, 'more attack')}.`] : [])].join('\n')
  const notable = attacks.filter(isNotable).slice(0, reportBounds.markdownDetails)
  const details = fitting(
    notable.map((one) => detail(one, target.kind)),
    longest - table.length,
  )
  const evidence = details.length === 0 ? [] : ['### Evidence', details.join('\n')]
  return `${[table, ...evidence, ...flowLines(target), ...hardeningLines(target)].join('\n\n')}\n`
}

/** Renders the data flows as a diagram. Labels are reduced to characters that have no meaning in diagrams. */
function flowLines({ attacks }: TargetResults): string[] {
  const { sources, sinks, trials } = flowMatrix(attacks)
  if (sources.length === 0) return []
  const label = (text: string) => cut(text.replaceAll(/[^\p{L}\p{N} _.()/-]/gu, '·'), reportBounds.markdownFlow)
  const edges = sources.flatMap((source, row) =>
    sinks.flatMap((sink, column) => {
      const number = trials[row]?.[column] ?? 0
      const ends = [`s${row}["${label(source)}"]`, `t${column}["${label(sink)}"]`] as const
      return number === 0 ? [] : [`  ${ends[0]} -->|${count(number, 'trial')}| ${ends[1]}`]
    }),
  )
  return ['### Data flows', markdownBlock(['flowchart LR', ...edges].join('\n'), 'mermaid')]
}

function hardeningLines({ hardening, attacks }: TargetResults): string[] {
  if (hardening === undefined) return []
  const { restraints, stopped, diff } = hardening
  const namesByFile = new Map(attacks.map((one) => [one.file, nameOf(one)]))
  const list = restraints
    .slice(0, reportBounds.markdownRestraints)
    .map(({ text, weak }) => `- ${markdownCode(text)}${weak ? ' (weak)' : ''}`)
  const open = hardening.attacks
    .filter(({ reason }) => reason !== undefined)
    .slice(0, reportBounds.markdownDetails)
    .map(
      ({ file, reason = '' }) =>
        `- not stopped: ${namesByFile.get(file) ?? markdownCode(file)}: ${markdownCode(reason)}`,
    )
  const lines = [...list, ...open]
  return [
    '### Hardening',
    ...(stopped === undefined ? [] : [`**Incomplete:** ${markdownCode(stopped)}`]),
    ...(lines.length === 0 ? ['No attack succeeded.'] : [lines.join('\n')]),
    ...(diff === '' || diff.length > reportBounds.markdownDiff ? [] : [markdownBlock(diff, 'diff')]),
  ]
}

function intro(target: TargetResults, stopped: Results['stopped']): string[] {
  const { attacks, trials } = summaryOf(target)
  const suite = suiteStatistics(target)
  const stoppers = stoppersOf(target.attacks).map(([stopper, many]) => `${stopper} ${many}`)
  const usage = usageOf(target)
  const facts = [
    `Target: ${target.kind} ${markdownCode(target.name)}`,
    count(trials.total, 'trial'),
    ...(attacks.partial === 0 ? [] : [`${attacks.partial} partial`]),
    ...(suite.inconclusive === 0 ? [] : [`**${count(suite.inconclusive, 'trial')} inconclusive**`]),
    ...(attacks.not_applicable === 0 ? [] : [`${count(attacks.not_applicable, 'attack')} not applicable`]),
    ...(suite.flaky === 0 ? [] : [`${suite.flaky} flaky`]),
    ...(stoppers.length === 0 ? [] : [`stopped by: ${stoppers.join(', ')}`]),
    ...(usage === undefined ? [] : [usageText(usage, target.price)]),
  ]
  const rates = [
    ...(suite.attacks === undefined ? [] : [`Succeeded at least once: ${rateText(suite.attacks)}`]),
    ...(suite.utility === undefined ? [] : [`Utility under attack: ${rateText(suite.utility)}`]),
  ]
  // Inconclusive attacks are not part of the denominator.
  const judged = attacks.exploited + attacks.partial + attacks.resisted
  const headline =
    judged === 0
      ? `no verdict, none of ${count(attacks.total, 'attack')} was judged`
      : `${attacks.exploited} of ${count(judged, 'judged attack')} succeeded`
  return [
    `## Joust: ${headline}`,
    '',
    facts.join(' · '),
    ...(rates.length === 0 ? [] : ['', rates.join(' · ')]),
    ...(stopped === undefined ? [] : ['', `**Incomplete:** ${markdownCode(splitBlock(stopped.message)[0])}`]),
  ]
}

const columns = ['outcome', 'attack', 'severity', 'success (95 %)', 'utility', 'inconclusive', 'stopped by']

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

const marks = {
  exploited: '🔴 exploited',
  partial: '🟠 partial',
  inconclusive: '⚪ inconclusive',
  resisted: '🟢 resisted',
  not_applicable: '➖ not_applicable',
} as const

function costOf({ cost_usd }: AttackResults): string {
  return cost_usd === undefined ? '–' : dollarText(cost_usd)
}

function cellsOf(results: AttackResults): string[] {
  const { outcome, attack, decision, tier } = results
  const { success, sequential, flaky, counts, utility } = statisticsOf(results)
  const answer = decision === undefined ? '' : `; ${decision.question.replace('<', '&lt;')} ${decision.answer}`
  return [
    tier === undefined ? marks[outcome] : `${marks[outcome]} (${tier})`,
    nameOf(results),
    attack.severity ?? '–',
    success === undefined ? '–' : `${rateText(success, sequential)}${flaky ? ', flaky' : ''}${answer}`,
    utility === undefined ? (taskFaults(results).length > 0 ? 'unknown' : '–') : rateText(utility),
    counts.inconclusive === 0 ? '–' : String(counts.inconclusive),
    stopperOf(results) ?? '–',
  ]
}

function isNotable(results: AttackResults): boolean {
  // A reason on a resisted attack is a reservation.
  return results.outcome !== 'resisted' || results.reasons.length > 0 || taskFaults(results).length > 0
}

function detail(results: AttackResults, kind: TargetResults['kind']): string {
  const evidence = [...evidenceLines(results, kind).slice(0, 4), ...taskFaults(results).slice(0, 2)]
  const controls = controlFacts(results).filter(([, text]) => !evidence.some((one) => one.includes(text)))
  const lines = [...evidence, ...(controls.length === 0 ? [] : [controls.map((one) => one.join(': ')).join('; ')])]
  return [
    `- ${nameOf(results)} in ${markdownCode(results.file)}`,
    ...lines.map((one) => `  - ${markdownCode(one)}`),
  ].join('\n')
}

function nameOf(results: AttackResults): string {
  return markdownCode(titleOf(results))
}

function fitting(parts: readonly string[], limit: number): string[] {
  let length = 0
  const fits = parts.findIndex((part) => {
    length += part.length + 2
    return length > limit
  })
  return fits < 0 ? [...parts] : parts.slice(0, fits)
}
