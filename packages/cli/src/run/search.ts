/** One search of the command: every batch is a suite in a folder of its own. */
import {
  type BudgetLimits,
  type Redacted,
  type Results,
  type SearchBatch,
  type SearchResult,
  type SuiteAttack,
  searchBait,
} from '@joust/arena'
import type { LanguageModel } from '@joust/runtime'
import { printable } from '@joust/source'
import type { SearchOwnOptions } from '../options/adaptive.ts'
import type { Io } from '../terminal/io.ts'
import type { PreparedRun, PreparedTarget } from './prepare.ts'
import { attackTarget, controlSkipped, loudnessOf, openFolder } from './suite.ts'

/** What a search is made of. */
interface SearchJob {
  readonly prepared: PreparedRun
  readonly target: PreparedTarget
  readonly attack: SuiteAttack
  readonly own: SearchOwnOptions & { readonly attacker: string }
  readonly attacker: LanguageModel
  /** The folder of the results, as the user names it. */
  readonly word: string
  readonly signal: AbortSignal
}

/** Searches; what is kept of each batch lies below the folder of the results. */
export async function searchTarget(job: SearchJob, io: Io): Promise<SearchResult> {
  const { prepared, own, attack, signal, target } = job
  const { modelAttacker } = await import('@joust/arena/attacker')
  const tell = (line: string) => prepared.options.quiet || io.stderr.write(`joust: ${printable(line)}\n`)
  const { gateway } = target.target
  await gateway?.open()
  return searchBait(attack, {
    ...own,
    attacker: modelAttacker(own.attacker, job.attacker),
    budget: target.plan.budget,
    redactor: prepared.redactor,
    signal,
    onRefused: (reason) => tell(`attacker: ${reason}`),
    onTried: ({ by, round, results }) => {
      if (round > 0) tell(`round ${round}: ${by.join(' + ')}: ${results.outcome}`)
    },
    run: (batch, left) => runBatch(job, batch, left, io),
  }).finally(() => gateway?.close())
}

async function runBatch(
  { prepared, target, word, signal }: SearchJob,
  batch: SearchBatch,
  budget: BudgetLimits,
  io: Io,
): Promise<Redacted<Results>> {
  const { given, judge, ...rest } = target
  // Candidates are kept; of what is run again or made shorter after that, only the document is.
  const isKept = batch.round !== undefined
  const selection = { attacks: batch.attacks, broken: [] }
  const plan = { ...target.plan, budget, ...(batch.trials === undefined ? {} : { trials: batch.trials }) }
  const shared = { ...rest, plan, selection, redactor: prepared.redactor }
  const folder = isKept ? await openFolder(given, { word, under: batch.name, resume: false }, shared, io) : undefined
  if (folder?.ok === false) throw new Error(folder.error)
  return attackTarget(
    {
      ...shared,
      folder: folder?.value,
      judge: signal.aborted ? undefined : judge,
      allowHosts: given.options.allowHost,
      skipControl: batch.round === 0 ? controlSkipped(given.options) : 'it was made before the first attempt',
      loudness: isKept ? loudnessOf(prepared.options) : 'quiet',
      signal,
      onEvent: batch.onEvent,
    },
    io,
  )
}
