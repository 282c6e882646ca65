/** `report.html`: results and their traces in one file that needs nothing else. */
import { coverageOf, type Results, type ResultVerdict, statisticsOf, suiteStatistics } from '@joust/arena'
import type { OpenTrace, ReportInput } from '../content/input.ts'
import { suiteNotes } from '../content/suite-notes.ts'
import type { ReportData, TraceSummary } from './client/data.ts'
import { dataBlock, embeddedJson } from './embed.ts'
import { defaultReportLimits, type ReportLimits } from './limits.ts'
import { reportPage } from './page.ts'
import { traceBlock } from './trace-block.ts'

/** The report as HTML. Several results stand side by side. A trace that cannot be read is said to be so. */
export async function renderHtml(
  results: ReportInput | readonly ReportInput[],
  open: OpenTrace,
  limits: Partial<ReportLimits> = {},
): Promise<string> {
  const all: readonly ReportInput[] = 'attacks' in results ? [results] : results
  const blocks: string[] = []
  const traces = await readTraces(all, open, { ...defaultReportLimits, ...limits }, blocks)
  const data: ReportData = {
    runs: all.map((one, number) => ({
      results: one,
      suite: suiteStatistics(one),
      statistics: one.attacks.map(statisticsOf),
      traces: traces[number] ?? [],
    })),
    coverage: coverageOf(together(all)),
    notes: suiteNotes(all),
  }
  return reportPage([dataBlock('report', embeddedJson(data)), ...blocks])
}

/** Adds a block for each trace; gives what became of them, by results, attack and trial. */
async function readTraces(
  all: readonly ReportInput[],
  open: OpenTrace,
  limits: ReportLimits,
  blocks: string[],
): Promise<TraceSummary[][][]> {
  const budget = createBudget(limits.characters, countTrials(all))
  const summaries: TraceSummary[][][] = all.map(({ attacks }) => attacks.map(() => []))
  for (const [number, one] of all.entries()) {
    for (const [place, { trials }] of one.attacks.entries()) {
      for (const [trial, { trace, verdict, task }] of trials.entries()) {
        const deciding = new Set([...decidingEntries(verdict), ...decidingEntries(task)])
        const bounds = { ...limits, characters: budget.share() }
        const block = await traceBlock(`trace-${number}-${place}-${trial}`, () => open(trace, one), deciding, bounds)
        budget.spend(block.html.length)
        blocks.push(block.html)
        summaries[number]?.[place]?.push(block.summary)
      }
    }
  }
  return summaries
}

/** All attacks as one suite, which is what coverage is about. */
function together(all: readonly ReportInput[]): Pick<Results, 'attacks'> {
  return { attacks: all.flatMap(({ attacks }) => attacks) }
}

function countTrials(all: readonly ReportInput[]): number {
  return all.flatMap(({ attacks }) => attacks).reduce((sum, { trials }) => sum + trials.length, 0)
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
