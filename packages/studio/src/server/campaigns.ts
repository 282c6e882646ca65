/** Campaigns in a database, and their results in a temporary folder. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { openTemporaryFolder, type TemporaryFolder } from '@joust/io'
import { err, ok, type Result } from '@joust/source'
import {
  type CampaignInfo,
  type CampaignRun,
  cellsOf,
  ofQueue,
  type ResultsSummary,
  type RunPlace,
  type RunRequest,
  type WatchedRun,
  worstRun,
} from '../model/api.ts'

/** Campaign operations that the command provides. Database errors are thrown. */
export interface CampaignWork {
  /** Description of the database, without secrets. */
  readonly place: string
  /** Returns all campaigns, newest first. */
  list(): Promise<readonly CampaignInfo[]>
  /** Returns the finished runs of a campaign, without traces, and those in progress. */
  runs(name: string): Promise<readonly CampaignRun[]>
  /** Returns the state of a run with the entries after `seen`. Undefined if the run does not exist. */
  watch(name: string, place: RunPlace, seen: Pick<WatchedRun, 'attempt' | 'part'>): Promise<WatchedRun | undefined>
  /** Submits runs to workers. Returns the name of the campaign. */
  submit(request: RunRequest): Promise<Result<string, string>>
  /** Cancels a campaign. Returns false if the campaign is not open. */
  cancel(name: string): Promise<boolean>
  /** Writes the results and traces of a campaign to a folder. */
  write(name: string, folder: string): Promise<Result<void, string>>
}

export interface StoredCampaigns {
  list(): Promise<ResultsSummary[]>
  /** Exports the current results of a campaign to a folder. Undefined if `name` does not refer to a campaign. */
  folderOf(name: string): Promise<Result<string, string>> | undefined
  close(): Promise<void>
}

export function openStoredCampaigns(work: CampaignWork | undefined): StoredCampaigns {
  const exports = new Map<string, { readonly finished: number; readonly folder: string }>()
  let home: TemporaryFolder | undefined
  const exportResults = async (name: string): Promise<Result<string, string>> => {
    const info = (await work?.list())?.find((one) => one.name === name)
    if (work === undefined || info === undefined) return err(`unknown campaign ${JSON.stringify(name)}`)
    const finished = info.runs - info.open
    const before = exports.get(name)
    if (before?.finished === finished) return ok(before.folder)
    home ??= openTemporaryFolder('joust-studio-queue-')
    const folder = mkdtempSync(join(home.path, 'results-'))
    const result = await work.write(name, folder)
    if (!result.ok) return result
    exports.set(name, { finished, folder })
    return ok(folder)
  }
  return {
    async list() {
      if (work === undefined) return []
      const started = (await work.list()).filter(({ runs, open }) => open < runs)
      return Promise.all(started.map(async (info) => summaryOf(info, await work.runs(info.name))))
    },
    folderOf: (name) => (name.startsWith(ofQueue) ? exportResults(name.slice(ofQueue.length)) : undefined),
    async close() {
      await home?.remove()
    },
  }
}

function summaryOf({ name, created, targets }: CampaignInfo, runs: readonly CampaignRun[]): ResultsSummary {
  const cells = [...cellsOf(runs).values()].flatMap((cell) => worstRun(cell) ?? [])
  return {
    name: `${ofQueue}${name}`,
    started_at: created,
    targets: targets.map((target) => ({
      name: target,
      attacks: cells
        .filter((run) => run.target === target)
        .map(({ file, outcome = '' }) => ({ file, name: file, outcome })),
    })),
  }
}
