/** The results of a campaign as a folder, just like the folder of a suite on one machine. */

import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import {
  createFileNames,
  joinResults,
  type Redacted,
  type Redactor,
  type Results,
  type RunKey,
  type SuiteAttack,
  suiteResults,
  TRACE_MARK,
  type Trial,
  withTrace,
} from '@joust/arena'
import { beginsWith, makeFolder, replaceOwn } from '@joust/io'
import { messageOf } from '@joust/source'
import type { CampaignStatus, CampaignTarget } from './campaign.ts'
import { attackKey, loadAttacks, readTargets } from './campaigns.ts'
import type { Database } from './database.ts'
import { FleetError } from './errors.ts'
import { createPostgresLedger, RUN_KEY, runKeyValues } from './ledger.ts'
import { type Preflight, readPreflight } from './preflight.ts'

const expand = promisify(gunzip)

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
  const done = new Map<string, Done>(targets.map(({ name }) => [name, new Map()]))
  const targetName = createFileNames(targets.map(({ name }) => name))
  const attackName = createFileNames([...attacks.values()].map(({ file }) => file))
  for await (const { run, trial } of createPostgresLedger(database, status.name).results()) {
    const trials = done.get(run.target)
    const attack = attacks.get(attackKey(run))
    if (trials === undefined || attack === undefined) continue
    const trace = `traces/${targetName(run.target)}/${attackName(attack.file)}.${run.trial}.jsonl`
    const written = await writeTrace(database, run, join(folder, trace))
    trials.set(attack.file, [...(trials.get(attack.file) ?? []), withTrace(trial, written ? trace : '')])
  }
  const all = [...attacks.values()]
  const parts: Redacted<Results>[] = []
  for (const target of targets) {
    const preflight = await readPreflight(database, { campaign: status.name, target: target.name })
    parts.push(partOf(status, target, preflight, all, done.get(target.name) ?? new Map(), redactor))
  }
  const times = { started_at: status.created, finished_at: status.finished ?? status.created }
  const stopped = stoppedBy(status)
  return joinResults(
    parts.map((results) => ({ results, under: '' })),
    { ...times, ...(stopped && { stopped }) },
  )
}

function partOf(
  { plan, created }: CampaignStatus,
  { about }: CampaignTarget,
  { control, mcpVersion, judged }: Preflight = {},
  attacks: readonly SuiteAttack[],
  done: Done,
  redactor: Redactor,
): Redacted<Results> {
  const startedAt = new Date(created)
  return suiteResults({
    about,
    attacks,
    trials: plan.trials,
    done,
    redactor,
    startedAt,
    judged: judged && { about: judged.about, agreements: new Map(judged.agreements) },
    control,
    mcpVersion,
    exceeded: undefined,
  })
}

/** Results of which some are missing say so. */
function stoppedBy({ stopped, open, runs }: CampaignStatus): Results['stopped'] {
  if (open === 0) return undefined
  const missing = `${open} of ${runs} runs have no result`
  if (stopped === undefined) return { reason: 'interrupted', message: missing }
  return { reason: stopped.includes('budget') ? 'budget' : 'interrupted', message: `${stopped}; ${missing}` }
}

/** The attacks of a campaign by key. Several versions of a document are distinguished by their fingerprints. */
async function namedAttacks(database: Database, campaign: CampaignStatus): Promise<Map<string, SuiteAttack>> {
  const { read, unlike } = await loadAttacks(database, campaign)
  const [strange] = unlike
  if (strange !== undefined) {
    const message = `${strange} is read differently by this version of joust: use the one that submitted the campaign`
    throw new FleetError('campaign_unlike', message)
  }
  const taken = new Set<string>()
  for (const [key, { file, attack }] of read) {
    if (taken.has(file)) read.set(key, { file: `${file}@${attack.fingerprint.slice(-8)}`, attack })
    taken.add(file)
  }
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
    replaceOwn(path, (await expand(trace)).toString('utf8'), (there) => beginsWith(there, TRACE_MARK))
    return true
  } catch (thrown) {
    throw new FleetError('folder_failed', `the results cannot be written: ${messageOf(thrown)}`, { cause: thrown })
  }
}
