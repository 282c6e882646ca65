/** Checks the recorded runs of a campaign against its plan, because any program may write to the database. */

import { checkTrial, type Redacted, type Trial } from '@joust/results'
import { count, err, ok, type Result, type Value } from '@joust/source'
import {
  checkNames,
  firstTrials,
  mostTrials,
  noOutcomes,
  type RunKey,
  type SuiteAttack,
  type TrialPlan,
} from '@joust/trials'
import { type CampaignStatus, trialPlanOf } from './campaign.ts'
import { attackKey, loadAttacks } from './campaigns.ts'
import type { Database } from './database.ts'
import { outcomeFault, type RecordedRun, resultsOf } from './ledger.ts'

type CheckedRun =
  | { readonly run: RunKey; readonly attack: SuiteAttack; readonly trial: Redacted<Trial> }
  | {
      readonly run: RunKey
      readonly error: string
      /** The attack. Absent if the run is not part of the campaign, or if its document is missing. */
      readonly attack?: SuiteAttack
    }

interface CampaignContent {
  /** Attacks by `attackKey`. */
  readonly attacks: ReadonlyMap<string, SuiteAttack>
  /** Keys of the planned attacks by target name. */
  readonly planned: ReadonlyMap<string, ReadonlySet<string>>
}

export async function readContent(
  database: Database,
  campaign: CampaignStatus,
): Promise<Result<CampaignContent, string>> {
  const { attacks, mismatch } = await loadAttacks(database, campaign)
  if (mismatch !== undefined)
    return err(`this version of joust reads ${mismatch} differently: use the version that submitted the campaign`)
  const names = checkNames(attacks.values())
  if (!names.ok) return names
  const { rows } = await database.query<Pick<RunKey, 'target' | 'file' | 'fingerprint'>>(
    'select target, file, fingerprint from joust.planned where campaign = $1',
    [campaign.name],
  )
  const planned = new Map<string, Set<string>>()
  for (const { target, ...attack } of rows)
    planned.set(target, (planned.get(target) ?? new Set()).add(attackKey(attack)))
  return ok({ attacks, planned })
}

/** Yields all recorded runs that have a result, and all planned runs that have no row. */
export async function* checkedRuns(
  database: Database,
  { name, plan }: CampaignStatus,
  { attacks, planned }: CampaignContent,
): AsyncGenerator<CheckedRun, void, void> {
  const trialPlan = trialPlanOf(plan)
  const most = mostTrials(trialPlan)
  for await (const row of resultsOf(database, name)) {
    const { run, trial } = row
    const attack = attacks.get(attackKey(run))
    if (attack === undefined) yield { run, error: 'attack missing from the database' }
    else if (planned.get(run.target)?.has(attackKey(run)) !== true)
      yield { run, error: 'attack not planned for this target' }
    else if (!(run.arm in most) || most[run.arm] === 0) yield { run, error: `unexpected arm ${run.arm}` }
    else if (run.trial < 1 || run.trial > most[run.arm])
      yield { run, error: `expected at most ${count(most[run.arm], 'trial')}` }
    else {
      const error = resultError(row, attack)
      yield error === undefined ? { run, attack, trial } : { run, attack, error }
    }
  }
  for (const run of await missingRuns(database, name, firstTrials(trialPlan))) {
    const attack = attacks.get(attackKey(run))
    const error = attack === undefined ? 'run and attack missing from the database' : 'run missing from the database'
    yield { run, error, ...(attack && { attack }) }
  }
}

/**
 * Counts runs and outcomes in the same way as an export. `onFault` is called for each invalid or missing row. If this
 * version cannot read the attacks, returns the counts in `status`.
 */
export async function countRuns(
  database: Database,
  status: CampaignStatus,
  onFault: (fault: string) => void,
): Promise<Pick<CampaignStatus, 'runs' | 'open' | 'outcomes'>> {
  const content = await readContent(database, status)
  if (!content.ok) {
    onFault(content.error)
    return status
  }
  const { attacks, planned } = content.value
  const plan = trialPlanOf(status.plan)
  const pairs = [...planned.values()].flatMap((keys) => [...keys].filter((key) => attacks.has(key))).length
  const runs = firstTrials(plan) * pairs + (await addedRuns(database, status.name, plan))
  let open = runs
  const outcomes = noOutcomes()
  for await (const checked of checkedRuns(database, status, content.value)) {
    if ('error' in checked) onFault(runFault(checked))
    if (checked.attack === undefined) continue
    open -= 1
    if (checked.run.arm === 'attack') outcomes['trial' in checked ? checked.trial.outcome : 'inconclusive'] += 1
  }
  return { runs, open, outcomes }
}

export function runFault({ run, error }: { readonly run: RunKey; readonly error: string }): string {
  return `${run.target}, ${run.file}, trial ${run.trial}: ${error}`
}

function resultError({ run, outcome, trial }: RecordedRun, { attack }: SuiteAttack): string | undefined {
  const checked = checkTrial(trial as unknown as Value)
  if (!checked.ok) return `invalid result in the database: ${checked.error}`
  if (trial.trial !== run.trial) return `expected trial ${run.trial} in the database, got trial ${trial.trial}`
  const { attack_id: id, result } = trial.verdict
  // A run abandoned after too many crashes has a verdict without an id.
  const isAbandoned = id === undefined && result === 'error'
  if (!isAbandoned && id !== attack.document.attack.id)
    return `expected a result for ${attack.document.attack.id ?? 'an attack without an id'} in the database, got ${id ?? 'no attack id'}`
  return trial.outcome === outcome ? undefined : outcomeFault(outcome, trial.outcome)
}

/** Counts the runs that were added to the plan because of results. */
async function addedRuns(database: Database, campaign: string, plan: TrialPlan): Promise<number> {
  const { attack, placebo, sensitivity } = mostTrials(plan)
  const { rows } = await database.query<{ added: number }>(
    `select count(*)::integer as added from joust.run where campaign = $1
       and (arm = 'placebo' and trial <= $4 or arm = 'sensitivity' and trial <= $5 or arm = 'attack' and trial > $2 and trial <= $3)`,
    [campaign, firstTrials(plan), attack, placebo, sensitivity],
  )
  return rows[0]?.added ?? 0
}

/** Returns the initially planned runs that have no row. */
async function missingRuns(database: Database, campaign: string, trials: number): Promise<readonly RunKey[]> {
  const { rows } = await database.query<RunKey>(
    `select campaign, target, file, 'attack' as arm, trial, fingerprint
       from joust.planned cross join generate_series(1, $2::integer) as trial where campaign = $1
     except select campaign, target, file, arm, trial, fingerprint from joust.run where campaign = $1
     order by target, file, fingerprint, trial`,
    [campaign, trials],
  )
  return rows
}
