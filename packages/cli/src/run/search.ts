/** One search of the command: every batch is a suite, within one budget. */
import {
  type BudgetLimits,
  gatherResults,
  type Redacted,
  type Results,
  type ResultsPart,
  type SearchBatch,
  type SearchResult,
  type SuiteAttack,
  searchBait,
  suiteFingerprint,
} from '@joust/arena'
import type { LanguageModel } from '@joust/runtime'
import { printable } from '@joust/source'
import type { SearchOwnOptions } from '../options/adaptive.ts'
import type { Io } from '../terminal/io.ts'
import { type Cost, createLedger } from './ledger.ts'
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

/** What came of it. */
export interface Searched {
  readonly result: SearchResult
  readonly results: Redacted<Results> | undefined
  readonly cost: Cost
}

/** Searches; what is kept of each batch lies below the folder of the results. */
export async function searchTarget(job: SearchJob, io: Io): Promise<Searched> {
  const { prepared, own, attack, signal, target } = job
  const { modelAttacker } = await import('@joust/arena/attacker')
  const ledger = createLedger(target.plan.budget)
  const parts: ResultsPart[] = []
  const tried = [attack.attack]
  const tell = (line: string) => prepared.options.quiet || io.stderr.write(`joust: ${printable(line)}\n`)
  const { gateway } = target.target
  await gateway?.open()
  const result = await searchBait(attack, {
    ...own,
    attacker: modelAttacker(own.attacker, job.attacker),
    redactor: prepared.redactor,
    signal,
    exhausted: ledger.exhausted,
    onCall: ledger.attacker,
    onRefused: (reason) => tell(`attacker: ${reason}`),
    onTried: ({ by, round, results, attack: candidate }) => {
      tried.push(candidate)
      if (round > 0) tell(`round ${round}: ${by.join(' + ')}: ${results.outcome}`)
    },
    run: async (batch) => {
      const made = await runBatch(job, batch, ledger.left(), io)
      ledger.agent(made)
      const results = withWholeBudget(made, ledger.exhausted())
      if (isKept(batch)) parts.push({ results, under: batch.name })
      return results
    },
  }).finally(() => gateway?.close())
  const results = parts.length === 0 ? undefined : gatherResults(parts, suiteFingerprint(tried.slice(1)))
  const cost = ledger.cost()
  const why = signal.aborted ? 'interrupted' : ledger.exhausted() === undefined ? 'attacker' : 'budget'
  return { result, results: results && withSearch(stoppedWith(results, result, why), result, own.attacker, cost), cost }
}

/** Static or adaptive, after how many tries, for how much: the attacker is not part of any run, so results have it beside. */
function withSearch(
  results: Redacted<Results>,
  { success, tries, rounds }: SearchResult,
  attacker: string,
  cost: Cost,
): Redacted<Results> {
  const targets = results.targets.map((one) => ({ ...one, search: { success, tries, rounds, attacker, cost } }))
  // Numbers, and the name of a model.
  return { ...results, targets } as Redacted<Results>
}

/** A batch knows only what was left for it. */
function withWholeBudget(results: Redacted<Results>, message: string | undefined): Redacted<Results> {
  if (results.stopped?.reason !== 'budget' || message === undefined) return results
  // A sentence of ours.
  return { ...results, stopped: { reason: 'budget', message } } as Redacted<Results>
}

/** The results tell why the search ended early, whoever ended it. */
function stoppedWith(
  results: Redacted<Results>,
  { stopped, success }: SearchResult,
  reason: NonNullable<Results['stopped']>['reason'],
): Redacted<Results> {
  if (results.stopped !== undefined || stopped === undefined || success !== 'none') return results
  // A sentence of ours, or a redacted one.
  return { ...results, stopped: { reason, message: stopped } } as Redacted<Results>
}

/** Candidates are kept; what is run again or made shorter after that is not a new attempt, and its document is kept. */
function isKept({ name }: SearchBatch): boolean {
  return name.startsWith('round-')
}

/** The batch that the attack itself is in. */
const FIRST = 'round-0'

async function runBatch(
  { prepared, target, word, signal }: SearchJob,
  batch: SearchBatch,
  budget: BudgetLimits,
  io: Io,
): Promise<Redacted<Results>> {
  const { given, judge, ...rest } = target
  const selection = { attacks: batch.attacks, broken: [] }
  const plan = { ...target.plan, budget, ...(batch.trials === undefined ? {} : { trials: batch.trials }) }
  const shared = { ...rest, plan, selection, redactor: prepared.redactor }
  const folder = isKept(batch)
    ? await openFolder(given, { word, under: batch.name, resume: false }, shared, io)
    : undefined
  if (folder?.ok === false) throw new Error(folder.error)
  return attackTarget(
    {
      ...shared,
      folder: folder?.value,
      judge: signal.aborted ? undefined : judge,
      allowHosts: given.options.allowHost,
      skipControl: batch.name === FIRST ? controlSkipped(given.options) : 'it was made before the first attempt',
      loudness: isKept(batch) ? loudnessOf(prepared.options) : 'quiet',
      signal,
      onEvent: batch.onEvent,
    },
    io,
  )
}
