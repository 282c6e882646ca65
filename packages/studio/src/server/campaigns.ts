/** Campaigns of a queue: what the command can do with them, and their results as a folder only this server knows. */
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

/** What the command can do with campaigns. Faults of the database are thrown as errors that say what is wrong. */
export interface CampaignWork {
  /** Where they are, without any secret. */
  readonly place: string
  /** The newest first. */
  list(): Promise<readonly CampaignInfo[]>
  /** Its runs with a result, without their traces, and those that workers are working on. */
  runs(name: string): Promise<readonly CampaignRun[]>
  /** A run with what the watcher has not seen; undefined where there is none. Asked for as long as somebody watches. */
  watch(name: string, place: RunPlace, seen: Pick<WatchedRun, 'attempt' | 'part'>): Promise<WatchedRun | undefined>
  /** Hands runs to workers; returns the name of the campaign, or why that is not possible. */
  submit(request: RunRequest): Promise<Result<string, string>>
  /** Hands out no more runs. */
  cancel(name: string): Promise<boolean>
  /** Writes results and traces into a folder. */
  write(name: string, folder: string): Promise<Result<void, string>>
}

/** Results that are in the database. */
export interface StoredCampaigns {
  list(): Promise<ResultsSummary[]>
  /** A folder with the current results of a campaign; undefined for a name that is not that of a campaign. */
  folderOf(name: string): Promise<Result<string, string>> | undefined
  close(): Promise<void>
}

export function openStoredCampaigns(work: CampaignWork | undefined): StoredCampaigns {
  const written = new Map<string, { readonly done: number; readonly folder: string }>()
  let home: TemporaryFolder | undefined
  const bring = async (name: string): Promise<Result<string, string>> => {
    const info = (await work?.list())?.find((one) => one.name === name)
    if (work === undefined || info === undefined) return err('there is no such campaign')
    const done = info.runs - info.open
    const before = written.get(name)
    if (before?.done === done) return ok(before.folder)
    home ??= openTemporaryFolder('joust-studio-queue-')
    const folder = mkdtempSync(join(home.path, 'results-'))
    const made = await work.write(name, folder)
    if (!made.ok) return made
    written.set(name, { done, folder })
    return ok(folder)
  }
  return {
    async list() {
      if (work === undefined) return []
      const begun = (await work.list()).filter(({ runs, open }) => open < runs)
      return Promise.all(begun.map(async (info) => summaryOf(info, await work.runs(info.name))))
    },
    folderOf: (name) => (name.startsWith(ofQueue) ? bring(name.slice(ofQueue.length)) : undefined),
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
