/** `report.html`: results and their traces in one file that needs nothing else. */
import type { ResultVerdict, TargetResults } from '@joust/arena'
import { type ReportData, type TraceSummary, traceBlockId } from '../components/data.ts'
import type { OpenTrace, ReportInput } from '../content/input.ts'
import { defaultReportLimits, type ReportLimits } from '../content/limits.ts'
import { suiteNotes } from '../content/suite-notes.ts'
import { dataBlock, embeddedJson } from './embed.ts'
import { reportPage } from './page.ts'
import { withoutFolders } from './paths.ts'
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
  const data: ReportData = withoutFolders({
    runs: columns.map(({ target, of: { targets: _, ...rest } }) => ({ target, results: rest })),
    notes: suiteNotes(all),
    traces,
  })
  return reportPage([dataBlock('report', embeddedJson(data)), ...blocks])
}

/** A column of the matrix, and the results that it is from. */
interface Column {
  readonly target: TargetResults
  readonly of: ReportInput
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
      for (const [trial, { trace, verdict, task, exposure }] of trials.entries()) {
        const deciding = new Set([...decidingEntries(verdict), ...decidingEntries(task), exposure.bait_seq ?? 0])
        const bounds = { ...limits, characters: budget.share() }
        const block = await traceBlock(traceBlockId(number, place, trial), () => open(trace, of), deciding, bounds)
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
