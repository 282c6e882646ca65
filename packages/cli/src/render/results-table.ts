/** Renders results as tables for a terminal. */
import { basename } from 'node:path'
import {
  type AttackResults,
  adaptiveSummary,
  compareListed,
  controlFacts,
  controlNotes,
  isJudged,
  isSuspicious,
  outcomes,
  preflightSummary,
  type Results,
  statisticsOf,
  suiteStatistics,
  summaryOf,
  type TargetResults,
  throughSummary,
  usageOf,
  usageText,
} from '@joust/results'
import { beginning, count, printable, splitBlock } from '@joust/source'
import type { Colours } from '../terminal/colours.ts'
import { countTable } from './count-table.ts'
import { happenedLines } from './evidence.ts'
import { cell, columnsOf, fit, wrap } from './fit.ts'
import { flowBlock } from './flow-lines.ts'
import { blockLines, exposureLines, INDENT, messageLines, outcomeColour, reasonLines } from './outcome-text.ts'

export interface TableOptions {
  /** Maximum width of a line in columns. @default unlimited */
  readonly columns?: number | undefined
  readonly verbose?: boolean
}

/** Renders attacks with evidence per target, sorted by outcome (worst first) and severity; then counts and cost. */
export function renderResults(
  { targets, stopped }: Results,
  colours: Colours,
  { columns = Number.POSITIVE_INFINITY, verbose = false }: TableOptions = {},
): string {
  const printed = new Set<string>()
  const parts = targets.map((target) => {
    const head = targets.length > 1 ? `${colours.bold(printable(`${target.kind} ${target.name}`))}\n\n` : ''
    const page = { colours, columns, verbose, stopped: stopped !== undefined, isAlone: targets.length === 1, printed }
    return `${head}${renderTarget(target, page)}`
  })
  const message = stopped === undefined ? '' : `INCOMPLETE: ${stopped.message}`
  const note = message === '' ? [] : messageLines(message, columns).map(colours.bold)
  return `${parts.join('\n')}${[...note, ...blockLines(message, colours, columns)].map((line) => `${line}\n`).join('')}`
}

interface Page {
  readonly colours: Colours
  readonly columns: number
  readonly verbose: boolean
  readonly stopped: boolean
  /** True for a single target, for which the reason for stopping is printed only at the end. */
  readonly isAlone: boolean
  readonly printed: Set<string>
}

function renderTarget(target: TargetResults, page: Page): string {
  const { colours, columns, verbose } = page
  const isLeft = ({ trials, outcome }: AttackResults) =>
    page.stopped && trials.length === 0 && outcome === 'inconclusive'
  const tried = target.attacks.filter((attack) => !isLeft(attack)).sort(compareListed)
  const skipped = target.attacks.length - tried.length
  const rows = groupsOf(tried).map((group) => groupText(group, columnsFor(tried, columns), target, page))
  const notRun = skipped === 0 ? [] : [colours.yellow(`${count(skipped, 'attack was', 'attacks were')} not run`)]
  const { severities, categories } = summaryOf({ attacks: tried })
  const tables = [
    ...(tried.length > 0 ? [countTable('severity', severities, colours, columns)] : []),
    ...(tried.length > 0 && verbose ? [countTable('category', categories, colours, columns)] : []),
    ...(verbose ? [flowBlock(tried, colours, columns)] : []),
  ]
  const parts = [[...rows, ...notRun].join('\n'), ...tables, ...adaptive(target, colours), totals(target, page)]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function groupsOf(attacks: readonly AttackResults[]): AttackResults[][] {
  const groups = new Map<string, AttackResults[]>()
  for (const attack of attacks) {
    const { outcome, reasons, decision, file } = attack
    const key =
      isJudged(attack) || isSuspicious(attack) ? file : JSON.stringify([outcome, reasons.map(headOf), decision])
    groups.set(key, [...(groups.get(key) ?? []), attack])
  }
  return [...groups.values()]
}

type Widths = ReturnType<typeof columnsFor>

const WIDEST_NAME = 60
const NARROWEST_NAME = 16

function columnsFor(attacks: readonly AttackResults[], columns: number) {
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(columnsOf))
  const outcome = widest(attacks.map((one) => one.outcome))
  const rate = widest(attacks.map(rateOf))
  const severity = widest(attacks.map(({ attack }) => attack.severity ?? ''))
  const before = [outcome, rate, severity].reduce((sum, width) => sum + (width === 0 ? 0 : width + 2), 0)
  const label = Math.min(widest(attacks.map(labelOf)), Math.max(8, columns - before - NARROWEST_NAME - 2))
  const name = Math.min(WIDEST_NAME, widest(attacks.map(({ attack }) => printable(attack.name))))
  const room = columns - before - (label === 0 ? 0 : label + 2)
  const withFile = room >= name + 2 + widest(attacks.map(({ file }) => printable(file)))
  return { outcome, rate, severity, label, name: Math.max(1, Math.min(name, room)), withFile }
}

function groupText(group: readonly AttackResults[], widths: Widths, target: TargetResults, page: Page): string {
  const { colours, columns } = page
  const [first] = group
  const { preflight: _, ...unchecked } = target
  if (first === undefined) return ''
  const happened = happenedLines(first, target.kind, colours, Math.min(columns, WIDEST) - INDENT.length)
  const isThrough = first.outcome === 'exploited' || first.outcome === 'partial' || isSuspicious(first)
  const usage = target.price === undefined ? [] : usageLines({ ...unchecked, attacks: group })
  return [
    ...group.map((results) => row(results, widths, colours)),
    ...trialLines(first, colours),
    ...reasonLines(first, colours, columns, page),
    ...(page.verbose ? [] : controlNotes(first)).map((note) => `${INDENT}${note}`),
    ...(isThrough ? happened.map((line) => `${INDENT}${line}`) : []),
    ...(group.length === 1 ? exposureLines(first, colours, columns) : []),
    ...(group.length === 1 && page.verbose ? controlLines(first, page) : []),
    ...usage.map((line) => `${INDENT}${colours.dim(line)}`),
  ].join('\n')
}

/** Maximum width of evidence in columns if the line width is unlimited. */
const WIDEST = 160

function row(results: AttackResults, widths: Widths, colours: Colours): string {
  const { attack, outcome, file } = results
  const name = printable(attack.name)
  const cells = [
    outcomeColour(outcome, colours)(outcome.padEnd(widths.outcome)),
    ...(widths.rate === 0 ? [] : [rateOf(results).padEnd(widths.rate)]),
    ...(widths.severity === 0 ? [] : [(attack.severity ?? '').padEnd(widths.severity)]),
    ...(widths.label === 0 ? [] : [cell(labelOf(results), widths.label)]),
    colours.bold(widths.withFile ? cell(name, widths.name) : fit(name, widths.name)),
    ...(widths.withFile ? [colours.dim(printable(file))] : []),
  ]
  return cells.join('  ').trimEnd()
}

/** Returns the id of an attack or, if it has none, its file name; both select the attack on the command line. */
function labelOf({ attack, file }: AttackResults): string {
  return printable(attack.id ?? basename(file).replace(/\.(?:oatf\.)?(?:yaml|yml|json)$/i, ''))
}

function rateOf({ trials }: Pick<AttackResults, 'trials'>): string {
  const { counts, judged } = statisticsOf({ trials })
  return trials.length < 2 || judged === 0 ? '' : `${counts.exploited}/${judged}`
}

function trialLines({ trials }: Pick<AttackResults, 'trials'>, colours: Colours): string[] {
  const { counts, judged, flaky } = statisticsOf({ trials })
  if (trials.length < 2 || judged === 0) return []
  const notes = [
    ...(flaky ? ['flaky'] : []),
    ...(counts.inconclusive > 0 ? [`${counts.inconclusive} inconclusive`] : []),
    ...(counts.not_applicable > 0 ? [`${counts.not_applicable} not_applicable`] : []),
  ]
  return notes.length === 0 ? [] : [`${INDENT}${colours.yellow(`of ${trials.length} trials: ${notes.join(', ')}`)}`]
}

function controlLines(attack: AttackResults, { colours, columns }: Page): string[] {
  return controlFacts(attack).map(([name, text]) => {
    return `${INDENT}${colours.dim(fit(printable(`${name}: ${text}`), columns - INDENT.length))}`
  })
}

function adaptive(target: TargetResults, colours: Colours): string[] {
  const summary = adaptiveSummary(target)
  if (summary === undefined) return []
  const { attacks, static_successes, successes, attempts, tokens } = summary
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

function headOf(text: string): string {
  return splitBlock(text)[0]
}

const NON_BREAKING_SPACE = '\u00a0'

function totals(target: TargetResults, { columns, colours, isAlone }: Page): string {
  const { attacks, trials } = summaryOf(target)
  const { utility } = suiteStatistics(target)
  const parts = outcomes.map((outcome) => `${attacks[outcome]}${NON_BREAKING_SPACE}${outcome}`)
  const { preflight } = target
  const through = throughSummary(target.attacks)
  const checked = preflight && preflightSummary(preflight)
  const notes = [
    ...(utility === undefined ? [] : [`the user's task was done in ${utility.hits} of ${utility.of} judged runs`]),
    ...usageLines(target),
    ...(through === undefined ? [] : [printable(through)]),
    ...(checked === undefined ? [] : [`preflight  ${checked}`]),
    ...(preflight?.status === 'skipped' ? [`no preflight: ${printable(preflight.reasons.join('; '))}`] : []),
    ...(preflight?.status === 'failed' && !isAlone
      ? [`preflight failed: ${printable(preflight.reasons.map(headOf).join('; '))}`]
      : []),
  ]
  const placebo = target.attacks.reduce((sum, { placebo_trials = [] }) => sum + placebo_trials.length, 0)
  const runs = `${count(trials.total, 'run')}${placebo === 0 ? '' : ` and ${placebo} without the bait`}`
  const head = `${count(attacks.total, 'attack')}, ${runs}: ${parts.join(', ')}`
  const lines = [
    ...wrap(head, columns).map((line) => colours.bold(line.replaceAll(NON_BREAKING_SPACE, ' '))),
    ...notes.flatMap((line) => wrap(line, columns)),
  ]
  return lines.join('\n')
}

function usageLines(target: TargetResults): string[] {
  const usage = usageOf(target)
  if (usage === undefined) return []
  const { kind, name, details, price } = target
  const used = `model: ${usageText(usage, price)}`
  const model = details?.model ?? (kind === 'model' ? name : 'sim/')
  return [price !== undefined || model.startsWith('sim/') ? used : `${used}; use --price IN,OUT to show the cost`]
}
