/** Exports campaign results to a folder with the layout of a local suite. */
import { dirname, join } from 'node:path'
import { beginsWith, makeFolder, replaceOwn } from '@joust/io'
import {
  joinResults,
  type Redacted,
  type Redactor,
  type Results,
  suiteFingerprint,
  TRACE_MARK,
  type Trial,
  withTrace,
} from '@joust/results'
import { createFileNames } from '@joust/results/files'
import { defined, err, messageOf, ok, type Result } from '@joust/source'
import {
  type Agreements,
  type Arms,
  armSuffix,
  createArms,
  lostTrial,
  type RunKey,
  type SuiteAttack,
  suiteResults,
  suiteTrials,
} from '@joust/trials'
import { type CampaignStatus, type TargetPreflight, trialPlanOf } from './campaign.ts'
import { readTargets } from './campaigns.ts'
import { checkedRuns, readContent, runFault } from './checked-runs.ts'
import type { Database } from './database.ts'
import { FleetError } from './errors.ts'
import { RUN_KEY, runKeyValues, traceText } from './ledger.ts'

/** Writes traces and returns the results that refer to them. A run whose result cannot be read is inconclusive. */
export async function exportCampaign(
  database: Database,
  status: CampaignStatus,
  folder: string,
  redactor: Redactor,
  onFault: (fault: string) => void = () => {},
): Promise<Redacted<Results>> {
  const content = await readContent(database, status)
  if (!content.ok) throw new FleetError('campaign_conflict', content.error)
  const { attacks, planned } = content.value
  const targets = await readTargets(database, status.name)
  const { plan } = status
  const attacksOf = (target: string) =>
    [...attacks].flatMap(([key, attack]) => (planned.get(target)?.has(key) ? [attack] : []))
  const armsOf = (target: string) => createArms(attacksOf(target), trialPlanOf(plan), { target, strict: plan.strict })
  const armsByTarget = new Map<string, Arms>(targets.map(({ data }) => [data.name, armsOf(data.name)]))
  const targetName = createFileNames(targets.map(({ data }) => data.name))
  const attackName = createFileNames([...attacks.values()].map(({ file }) => file))
  for await (const checked of checkedRuns(database, status, content.value)) {
    const { run, attack } = checked
    const arms = armsByTarget.get(run.target)
    if (arms === undefined) {
      onFault(runFault({ run, error: 'target missing from the database' }))
      continue
    }
    if ('error' in checked) onFault(runFault(checked))
    if (attack === undefined) continue
    const add = (trial: Redacted<Trial>) => arms.add({ file: attack.file, arm: run.arm }, trial)
    if ('error' in checked) {
      add(lostTrial(run.trial, checked.error))
      continue
    }
    const trace = `traces/${targetName(run.target)}/${attackName(attack.file)}${armSuffix(run.arm)}.${run.trial}.jsonl`
    const result = await writeTrace(database, run, join(folder, trace))
    if (!result.ok) onFault(runFault({ run, error: result.error }))
    add(withTrace(checked.trial, result.ok && result.value ? trace : ''))
  }
  const parts = targets.map(({ data, preflight }) => {
    const { result, mcpVersion, judged } = preflight ?? {}
    const results = suiteResults({
      about: data.about,
      attacks: attacksOf(data.name),
      trials: plan.trials,
      runsOf: (armsByTarget.get(data.name) ?? armsOf(data.name)).resultsOf,
      redactor,
      startedAt: new Date(status.created),
      judged: judged && { about: judged.about, agreements: agreementsByFile(judged, attacks) },
      preflight: result,
      mcpVersion,
      exceeded: undefined,
    })
    return { results, under: '' }
  })
  const { created, finished = created } = status
  const fingerprint = suiteFingerprint([...attacks.values()].map(({ attack }) => attack))
  return joinResults(parts, {
    started_at: created,
    finished_at: finished,
    suite: { ...suiteTrials(plan.trials), fingerprint },
    ...defined({ stopped: stoppedBy(status) }),
  })
}

function agreementsByFile(
  { agreements }: NonNullable<TargetPreflight['judged']>,
  attacks: ReadonlyMap<string, SuiteAttack>,
): Agreements {
  const entries = agreements.flatMap(([key, agreement]) => {
    const attack = attacks.get(key)
    return attack === undefined ? [] : [[attack.file, agreement] as const]
  })
  return new Map(entries)
}

function stoppedBy({ state, stopped, open, runs }: CampaignStatus): Results['stopped'] {
  if (open === 0) return undefined
  const missing = `${open} of ${runs} runs have no result`
  if (stopped === undefined) return { reason: 'interrupted', message: missing }
  return { reason: state === 'stopped' ? 'budget' : 'interrupted', message: `${stopped}; ${missing}` }
}

/** Writes a trace. Returns false if the trace was never recorded or has been deleted. */
async function writeTrace(database: Database, run: RunKey, path: string): Promise<Result<boolean, string>> {
  const { rows } = await database.query<{ trace: Buffer | null }>(
    `select trace from joust.run where ${RUN_KEY}`,
    runKeyValues(run),
  )
  const trace = rows[0]?.trace ?? null
  if (trace === null) return ok(false)
  const text = await traceText(trace).then(ok, (thrown: unknown) => err(messageOf(thrown)))
  if (!text.ok) return err(`invalid trace in the database: ${text.error}`)
  try {
    makeFolder(dirname(path))
    replaceOwn(path, text.value, (existing) => beginsWith(existing, TRACE_MARK))
    return ok(true)
  } catch (thrown) {
    throw new FleetError('folder_failed', `cannot write the results: ${messageOf(thrown)}`, { cause: thrown })
  }
}
