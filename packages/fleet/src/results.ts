/** The results of a campaign as a folder, just like the folder of a suite on one machine. */
import { dirname, join } from 'node:path'
import {
  createFileNames,
  joinResults,
  lostTrial,
  type Redacted,
  type Redactor,
  type Results,
  type RunKey,
  repeatedName,
  type SuiteAttack,
  suiteResults,
  TRACE_MARK,
  type Trial,
  trialFault,
  withTrace,
} from '@joust/arena'
import { beginsWith, makeFolder, replaceOwn } from '@joust/io'
import { defined, err, messageOf, ok, type Result, type Value } from '@joust/source'
import type { CampaignStatus } from './campaign.ts'
import { attackKey, loadAttacks, readTargets } from './campaigns.ts'
import type { Database } from './database.ts'
import { FleetError } from './errors.ts'
import { outcomeFault, type RecordedRun, RUN_KEY, resultsOf, runKeyValues, traceText } from './ledger.ts'

/** The trials of a target by the name of the attack. */
type Done = Map<string, Redacted<Trial>[]>

/**
 * Writes the traces of a campaign into a folder and returns the results that name them. `onFault` is called with each run
 * whose rows are wrong or missing; a run without a result that can be read is inconclusive.
 */
export async function exportCampaign(
  database: Database,
  status: CampaignStatus,
  folder: string,
  redactor: Redactor,
  onFault: (fault: string) => void = () => {},
): Promise<Redacted<Results>> {
  const attacks = await namedAttacks(database, status)
  const targets = await readTargets(database, status.name)
  const done = new Map<string, Done>(targets.map(({ data }) => [data.name, new Map()]))
  const targetName = createFileNames(targets.map(({ data }) => data.name))
  const attackName = createFileNames([...attacks.values()].map(({ file }) => file))
  const enter = ({ target }: RunKey, { file }: SuiteAttack, trial: Redacted<Trial>) => {
    const trials = done.get(target)
    trials?.set(file, [...(trials.get(file) ?? []), trial])
  }
  const lose = (run: RunKey, attack: SuiteAttack, fault: string) => {
    onFault(`${nameOf(run)}: ${fault}`)
    enter(run, attack, lostTrial(run.trial, fault))
  }
  for await (const row of resultsOf(database, status.name)) {
    const { run, trial } = row
    const attack = attacks.get(attackKey(run))
    if (attack === undefined || !done.has(run.target)) {
      onFault(`${nameOf(run)}: its ${attack === undefined ? 'attack' : 'target'} is not in the database`)
      continue
    }
    if (run.trial < 1 || run.trial > status.plan.trials) {
      onFault(`${nameOf(run)}: the campaign has no such trial`)
      continue
    }
    const wrong = resultFault(row, attack)
    if (wrong !== undefined) {
      lose(run, attack, wrong)
      continue
    }
    const trace = `traces/${targetName(run.target)}/${attackName(attack.file)}.${run.trial}.jsonl`
    const written = await writeTrace(database, run, join(folder, trace))
    if (!written.ok) onFault(`${nameOf(run)}: ${written.error}`)
    enter(run, attack, withTrace(trial, written.ok && written.value ? trace : ''))
  }
  for (const run of await missingRuns(database, status)) {
    const attack = attacks.get(attackKey(run))
    if (attack !== undefined) lose(run, attack, 'it is not in the database')
  }
  const parts = targets.map(({ data, control }) => {
    const { result, mcpVersion, judged } = control ?? {}
    const agreements = (judged?.agreements ?? []).flatMap(([key, found]) => {
      const attack = attacks.get(key)
      return attack === undefined ? [] : [[attack.file, found] as const]
    })
    const results = suiteResults({
      about: data.about,
      attacks: [...attacks.values()],
      trials: status.plan.trials,
      done: done.get(data.name) ?? new Map(),
      redactor,
      startedAt: new Date(status.created),
      judged: judged && { about: judged.about, agreements: new Map(agreements) },
      control: result,
      mcpVersion,
      exceeded: undefined,
    })
    return { results, under: '' }
  })
  const { created, finished = created } = status
  return joinResults(parts, { started_at: created, finished_at: finished, ...defined({ stopped: stoppedBy(status) }) })
}

/** Results of which some are missing say so. */
function stoppedBy({ stopped, open, runs }: CampaignStatus): Results['stopped'] {
  if (open === 0) return undefined
  const missing = `${open} of ${runs} runs have no result`
  if (stopped === undefined) return { reason: 'interrupted', message: missing }
  return { reason: stopped.includes('budget') ? 'budget' : 'interrupted', message: `${stopped}; ${missing}` }
}

/** The attacks of a campaign by key, each with a name of its own. */
async function namedAttacks(database: Database, campaign: CampaignStatus): Promise<Map<string, SuiteAttack>> {
  const { read, unlike } = await loadAttacks(database, campaign)
  if (unlike !== undefined) {
    const message = `${unlike} is read differently by this version of joust: use the one that submitted the campaign`
    throw new FleetError('campaign_unlike', message)
  }
  const repeated = repeatedName(read.values())
  if (repeated !== undefined) throw new FleetError('campaign_unlike', repeated)
  return read
}

function nameOf({ target, file, trial }: Omit<RunKey, 'campaign' | 'fingerprint'>): string {
  return `${target}, ${file}, trial ${trial}`
}

/** The reason why the result of a run cannot be used, as a sentence. */
function resultFault({ run, outcome, trial }: RecordedRun, { attack }: SuiteAttack): string | undefined {
  // Any program may have written to the database.
  const fault = trialFault(trial as unknown as Value)
  if (fault !== undefined) return `its result in the database cannot be read: ${fault}`
  if (trial.trial !== run.trial) return `its result in the database is that of trial ${trial.trial}`
  const { attack_id: id, result } = trial.verdict
  // A run that was given up has a verdict without the id.
  const isGivenUp = id === undefined && result === 'error'
  if (!isGivenUp && id !== attack.document.attack.id)
    return `its result in the database is that of ${id ?? 'an attack without an id'}`
  return trial.outcome === outcome ? undefined : outcomeFault(outcome, trial.outcome)
}

/** The runs of the campaign, each attack on each target, that have no row. */
async function missingRuns(database: Database, { name, plan }: CampaignStatus): Promise<readonly RunKey[]> {
  const { rows } = await database.query<RunKey>(
    `select campaign, name as target, file, trial, attack.fingerprint
       from joust.target join joust.attack using (campaign) cross join generate_series(1, $2::integer) as trial
       where campaign = $1
     except select campaign, target, file, trial, fingerprint from joust.run where campaign = $1
     order by target, file, fingerprint, trial`,
    [name, plan.trials],
  )
  return rows
}

/** Writes a trace; false when there is none: traces may have been deleted by their age. The error is a sentence. */
async function writeTrace(database: Database, run: RunKey, path: string): Promise<Result<boolean, string>> {
  const { rows } = await database.query<{ trace: Buffer | null }>(
    `select trace from joust.run where ${RUN_KEY}`,
    runKeyValues(run),
  )
  const trace = rows[0]?.trace ?? null
  if (trace === null) return ok(false)
  const text = await traceText(trace).then(ok, (thrown: unknown) => err(messageOf(thrown)))
  if (!text.ok) return err(`its trace in the database cannot be read: ${text.error}`)
  try {
    makeFolder(dirname(path))
    replaceOwn(path, text.value, (there) => beginsWith(there, TRACE_MARK))
    return ok(true)
  } catch (thrown) {
    throw new FleetError('folder_failed', `the results cannot be written: ${messageOf(thrown)}`, { cause: thrown })
  }
}
