/** `report.html`: results and their traces in one file that needs nothing else. */
import {
  type AttackResults,
  coverageOf,
  exposureText,
  type ResultVerdict,
  statisticsOf,
  suiteStatistics,
  type TargetResults,
} from '@joust/arena'
import { roleOf } from '@joust/oatf'
import type { OpenTrace, ReportInput } from '../content/input.ts'
import { suiteNotes } from '../content/suite-notes.ts'
import type { ReportData, ReportRun, TraceSummary } from './client/data.ts'
import { dataBlock, embeddedJson } from './embed.ts'
import { defaultReportLimits, type ReportLimits } from './limits.ts'
import { reportPage } from './page.ts'
import { traceBlock } from './trace-block.ts'

/** The report as HTML. Several targets, of one file or of several, stand side by side. A trace that cannot be read is said to be so. */
export async function renderHtml(
  results: ReportInput | readonly ReportInput[],
  open: OpenTrace,
  limits: Partial<ReportLimits> = {},
): Promise<string> {
  const all: readonly ReportInput[] = 'targets' in results ? [results] : results
  const columns = all.flatMap((of) => of.targets.map((target) => ({ target, of })))
  const blocks: string[] = []
  const traces = await readTraces(columns, open, { ...defaultReportLimits, ...limits }, blocks)
  const data: ReportData = {
    runs: columns.map((column, number) => runOf(column, traces[number] ?? [])),
    // All attacks as one suite, which is what coverage is about.
    coverage: coverageOf({ attacks: columns.flatMap(({ target }) => target.attacks) }),
    notes: suiteNotes(all),
  }
  return reportPage([dataBlock('report', embeddedJson(data)), ...blocks])
}

/** A column of the matrix, and the results that it is from. */
interface Column {
  readonly target: TargetResults
  readonly of: ReportInput
}

function runOf({ target, of }: Column, traces: ReportRun['traces']): ReportRun {
  const { targets: _, ...results } = of
  return {
    target,
    clientModes: clientModesOf(target),
    results,
    suite: suiteStatistics(target),
    statistics: target.attacks.map(statisticsOf),
    traces,
    sent: target.attacks.map(sentTo),
  }
}

function clientModesOf({ attacks }: TargetResults): string[] {
  const modes = attacks.flatMap(({ trials }) => trials.flatMap(({ actors }) => actors.map(({ mode }) => mode)))
  return [...new Set(modes)].filter((mode) => roleOf(mode) === 'client')
}

function sentTo({ trials }: AttackResults): string[] {
  return trials.map(({ exposure }) => exposureText(exposure) ?? '')
}

/** Adds a block for each trace; gives what became of them, by column, attack and trial. */
async function readTraces(
  columns: readonly Column[],
  open: OpenTrace,
  limits: ReportLimits,
  blocks: string[],
): Promise<TraceSummary[][][]> {
  const budget = createBudget(limits.characters, countTrials(columns))
  const summaries: TraceSummary[][][] = columns.map(({ target }) => target.attacks.map(() => []))
  for (const [number, { target, of }] of columns.entries()) {
    for (const [place, { trials }] of target.attacks.entries()) {
      for (const [trial, { trace, verdict, task }] of trials.entries()) {
        const deciding = new Set([...decidingEntries(verdict), ...decidingEntries(task)])
        const bounds = { ...limits, characters: budget.share() }
        const block = await traceBlock(`trace-${number}-${place}-${trial}`, () => open(trace, of), deciding, bounds)
        budget.spend(block.html.length)
        blocks.push(block.html)
        summaries[number]?.[place]?.push(block.summary)
      }
    }
  }
  return summaries
}

function countTrials(columns: readonly Column[]): number {
  return columns.flatMap(({ target }) => target.attacks).reduce((sum, { trials }) => sum + trials.length, 0)
}

function decidingEntries(verdict: ResultVerdict | undefined): number[] {
  return (verdict?.indicator_verdicts ?? []).flatMap(({ entry }) => entry?.seq ?? [])
}

/** What is left, in equal shares for those that are still to come. */
function createBudget(characters: number, shares: number): { share(): number; spend(characters: number): void } {
  let left = characters
  let waiting = shares
  return {
    share: () => Math.max(0, left) / Math.max(1, waiting),
    spend(spent) {
      left -= spent
      waiting -= 1
    },
  }
}
