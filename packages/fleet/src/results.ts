/** The results of a campaign as a folder, just like the folder of a suite on one machine. */
import { dirname, join } from 'node:path'
import {
  createFileNames,
  joinResults,
  type Redacted,
  type Redactor,
  type Results,
  type RunKey,
  repeatedName,
  type SuiteAttack,
  suiteResults,
  TRACE_MARK,
  type Trial,
  withTrace,
} from '@joust/arena'
import { beginsWith, makeFolder, replaceOwn } from '@joust/io'
import { messageOf } from '@joust/source'
import type { CampaignStatus } from './campaign.ts'
import { attackKey, loadAttacks, readTargets } from './campaigns.ts'
import type { Database } from './database.ts'
import { FleetError } from './errors.ts'
import { createPostgresLedger, RUN_KEY, runKeyValues, traceText } from './ledger.ts'

/** The trials of a target by the name of the attack. */
type Done = Map<string, Redacted<Trial>[]>

/** Writes the traces of a campaign into a folder and returns the results that name them. */
export async function exportCampaign(
  database: Database,
  status: CampaignStatus,
  folder: string,
  redactor: Redactor,
): Promise<Redacted<Results>> {
  const attacks = await namedAttacks(database, status)
  const targets = await readTargets(database, status.name)
  const done = new Map<string, Done>(targets.map(({ data }) => [data.name, new Map()]))
  const targetName = createFileNames(targets.map(({ data }) => data.name))
  const attackName = createFileNames([...attacks.values()].map(({ file }) => file))
  for await (const { run, trial } of createPostgresLedger(database, status.name).results()) {
    const trials = done.get(run.target)
    const attack = attacks.get(attackKey(run))
    if (trials === undefined || attack === undefined) continue
    const trace = `traces/${targetName(run.target)}/${attackName(attack.file)}.${run.trial}.jsonl`
    const written = await writeTrace(database, run, join(folder, trace))
    trials.set(attack.file, [...(trials.get(attack.file) ?? []), withTrace(trial, written ? trace : '')])
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
  const times = { started_at: status.created, finished_at: status.finished ?? status.created }
  const stopped = stoppedBy(status)
  return joinResults(parts, { ...times, ...(stopped && { stopped }) })
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

/** Writes a trace; false when there is none: traces may have been deleted by their age. */
async function writeTrace(database: Database, run: RunKey, path: string): Promise<boolean> {
  const { rows } = await database.query<{ trace: Buffer | null }>(
    `select trace from joust.run where ${RUN_KEY}`,
    runKeyValues(run),
  )
  const trace = rows[0]?.trace ?? null
  if (trace === null) return false
  try {
    makeFolder(dirname(path))
    replaceOwn(path, await traceText(trace), (there) => beginsWith(there, TRACE_MARK))
    return true
  } catch (thrown) {
    throw new FleetError('folder_failed', `the results cannot be written: ${messageOf(thrown)}`, { cause: thrown })
  }
}
