/** Campaigns over many machines: one database, any number of coordinators and workers. */
import { plannedRuns, type Redacted, type Redactor, type Results, type RunKey } from '@joust/arena'
import type { CampaignSpec, CampaignStatus } from './campaign.ts'
import { cancelCampaign, deleteCampaign, deleteTraces, enterCampaign, readCampaigns, readTargets } from './campaigns.ts'
import { type DatabaseOptions, openDatabase } from './database.ts'
import { createPostgresLedger } from './ledger.ts'
import { type Watch, type WatchedRun, watchRun } from './live.ts'
import { createFleetQueue } from './queue.ts'
import { exportCampaign } from './results.ts'
import { type ResultFilter, type ResultRow, runningRuns, selectResults, statusOf } from './status.ts'
import { type WorkedRun, work } from './worker.ts'
import type { WorkOptions } from './worker-target.ts'

/** A database of campaigns. Any lasting failure is a `FleetError`. */
export interface Fleet {
  /** Enters a campaign and hands out its runs; a second time changes nothing. Returns how many runs are to be done. */
  submit(campaign: CampaignSpec): Promise<number>
  /** The names of all campaigns, the newest first. */
  campaigns(): Promise<readonly string[]>
  status(name: string): Promise<CampaignStatus | undefined>
  /** Hands out no more runs; those under way are finished. */
  cancel(name: string): Promise<boolean>
  /** Deletes everything about a campaign. */
  remove(name: string): Promise<boolean>
  /** Deletes traces that are older than this; the results stay. */
  removeTraces(name: string, olderThanMs: number): Promise<number>
  /** The recorded results, without traces. */
  select(name: string, filter: ResultFilter): Promise<readonly ResultRow[]>
  /** The runs that workers are working on. */
  running(name: string): Promise<readonly Omit<RunKey, 'fingerprint'>[]>
  /** A run with its messages so far; asking repeatedly is what makes its worker show them. */
  watch(run: Watch): Promise<WatchedRun | undefined>
  /** Writes traces into a folder, and returns the results that name them; calls back for rows that are wrong or missing. */
  export(
    status: CampaignStatus,
    folder: string,
    redactor: Redactor,
    onFault?: (fault: string) => void,
  ): Promise<Redacted<Results>>
  work(options: WorkOptions): AsyncGenerator<WorkedRun, void, void>
  close(): Promise<void>
}

/** Connects to a database and makes its tables; throws a `FleetError` that says what is wrong. */
export async function openFleet(url: string, options: DatabaseOptions = {}): Promise<Fleet> {
  const database = await openDatabase(url, options)
  const queue = await createFleetQueue(database)
  return {
    async submit(campaign) {
      await enterCampaign(database, campaign)
      const { name, plan, targets, attacks } = campaign
      for (const target of targets) await queue.limit({ campaign: name, target: target.name }, plan.concurrency)
      const suite = { campaign: name, targets: targets.map((target) => target.name), trials: plan.trials }
      const open = await createPostgresLedger(database, name).submit([...plannedRuns(suite, attacks)])
      await queue.add(open)
      return open.length
    },
    campaigns: async () => (await readCampaigns(database)).map(({ name }) => name),
    status: (name) => statusOf(database, name),
    cancel: (name) => cancelCampaign(database, name),
    async remove(name) {
      for (const { data } of await readTargets(database, name))
        await queue.forget({ campaign: name, target: data.name })
      return deleteCampaign(database, name)
    },
    removeTraces: (name, olderThanMs) => deleteTraces(database, name, olderThanMs),
    select: (name, filter) => selectResults(database, name, filter),
    running: (name) => runningRuns(database, name),
    watch: (run) => watchRun(database, run),
    export: (...given) => exportCampaign(database, ...given),
    work: (working) => work(database, working),
    close: () => database.close(),
  }
}
