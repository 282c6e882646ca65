/** Distributed campaigns: one database, any number of coordinators and workers. */

import type { Redacted, Redactor, Results } from '@joust/results'
import { firstTrials, plannedRuns, type RunKey } from '@joust/trials'
import { type CampaignSpec, type CampaignStatus, trialPlanOf } from './campaign.ts'
import {
  cancelCampaign,
  deleteCampaign,
  deleteTraces,
  insertCampaign,
  readCampaigns,
  readTargets,
} from './campaigns.ts'
import { countRuns } from './checked-runs.ts'
import { type DatabaseOptions, openDatabase } from './database.ts'
import { createPostgresLedger } from './ledger.ts'
import { type Watch, type WatchedRun, watchRun } from './live.ts'
import { createFleetQueue } from './queue.ts'
import { exportCampaign } from './results.ts'
import { type ResultFilter, type ResultRow, runningRuns, selectResults, statusOf } from './status.ts'
import { type FinishedRun, work } from './worker.ts'
import type { WorkOptions } from './worker-target.ts'

/** A campaign database. Permanent failures reject with a `FleetError`. */
export interface Fleet {
  /** Stores a campaign and queues its runs. Idempotent. Returns the number of runs without a result. */
  submit(campaign: CampaignSpec): Promise<number>
  /** Returns the names of all campaigns, newest first. */
  campaigns(): Promise<readonly string[]>
  status(name: string): Promise<CampaignStatus | undefined>
  /** Cancels a campaign; runs in progress are finished. Returns false if no open campaign has that name. */
  cancel(name: string): Promise<boolean>
  /** Deletes a campaign and its data. Returns false if no campaign has that name. */
  remove(name: string): Promise<boolean>
  /** Deletes older traces, but keeps the results of the runs. Returns the number of deleted traces. */
  removeTraces(name: string, olderThanMs: number): Promise<number>
  /** Returns recorded results without traces. */
  select(name: string, filter: ResultFilter): Promise<readonly ResultRow[]>
  running(name: string): Promise<readonly Omit<RunKey, 'fingerprint'>[]>
  /** Returns a run with its messages so far. Messages are uploaded only while this method is called repeatedly. */
  watch(run: Watch): Promise<WatchedRun | undefined>
  /** Writes traces to a folder and returns the results that refer to them. `onFault` gets invalid or missing rows. */
  export(
    status: CampaignStatus,
    folder: string,
    redactor: Redactor,
    onFault?: (fault: string) => void,
  ): Promise<Redacted<Results>>
  /** Counts planned runs and readable results. `onFault` receives invalid or missing rows. */
  count(
    status: CampaignStatus,
    onFault: (fault: string) => void,
  ): Promise<Pick<CampaignStatus, 'runs' | 'open' | 'outcomes'>>
  work(options: WorkOptions): AsyncGenerator<FinishedRun, void, void>
  close(): Promise<void>
}

/**
 * Connects to a database and creates its tables. Rejects with a `FleetError`.
 *
 * @example
 * const fleet = await openFleet('postgres://127.0.0.1/joust')
 * console.log(await fleet.campaigns())
 */
export async function openFleet(url: string, options: DatabaseOptions = {}): Promise<Fleet> {
  const database = await openDatabase(url, options)
  // Interactive changes time out. Reads and workers retry until the database responds.
  const bounded = database.bounded()
  const queue = await createFleetQueue(bounded)
  return {
    async submit(campaign) {
      await insertCampaign(bounded, campaign)
      const { name, plan, targets, attacks } = campaign
      for (const target of targets) await queue.limit({ campaign: name, target: target.name }, plan.concurrency)
      const suite = { campaign: name, targets: targets.map((one) => one.name), trials: firstTrials(trialPlanOf(plan)) }
      const open = await createPostgresLedger(bounded, name).submit([...plannedRuns(suite, attacks)])
      await queue.add(open)
      return open.length
    },
    campaigns: async () => (await readCampaigns(database)).map(({ name }) => name),
    status: (name) => statusOf(database, name),
    cancel: (name) => cancelCampaign(bounded, name),
    async remove(name) {
      for (const { data } of await readTargets(bounded, name)) await queue.clear({ campaign: name, target: data.name })
      return deleteCampaign(bounded, name)
    },
    removeTraces: (name, olderThanMs) => deleteTraces(bounded, name, olderThanMs),
    select: (name, filter) => selectResults(database, name, filter),
    running: (name) => runningRuns(database, name),
    watch: (run) => watchRun(database, run),
    export: (...args) => exportCampaign(database, ...args),
    count: (status, onFault) => countRuns(database, status, onFault),
    work: (workOptions) => work(database, workOptions),
    close: () => database.close(),
  }
}
