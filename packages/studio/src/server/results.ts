/** Results of earlier runs, from the folder that `joust run` writes them to, and from the database of a queue. */
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  loadResults,
  openTrace,
  RESULTS_FILE,
  RESULTS_HOME,
  type Redacted,
  type Results,
  type TraceEntry,
} from '@joust/arena'
import { err, ok, type Result } from '@joust/source'
import type { ResultsSummary } from '../model/api.ts'
import { limits } from '../model/limits.ts'
import type { StoredCampaigns } from './campaigns.ts'
import type { OpenTrace } from './judge-trace.ts'

export interface StoredRuns {
  /** The newest first. */
  list(): Promise<ResultsSummary[]>
  read(name: string): Promise<Result<Redacted<Results>, string>>
  trace(name: string, trace: string): Promise<Result<TraceEntry[], string>>
  /** The same, as it is stored. */
  open(name: string, trace: string): Promise<Result<OpenTrace, string>>
}

export function openStoredRuns(root: string, campaigns: StoredCampaigns): StoredRuns {
  const known = new Map<string, { readonly changed: number; readonly summary: ResultsSummary }>()
  const home = join(root, RESULTS_HOME)
  const folderOf = async (name: string): Promise<Result<string, string>> => {
    const brought = campaigns.folderOf(name)
    if (brought !== undefined) return brought
    return isName(name) && changedAt(join(home, name)) !== undefined
      ? ok(join(home, name))
      : err('there are no such results')
  }
  const read = async (name: string): Promise<Result<Redacted<Results>, string>> => {
    const folder = await folderOf(name)
    if (!folder.ok) return folder
    const loaded = await loadResults(folder.value)
    return loaded.ok ? ok(loaded.value.results) : err(loaded.error.map(({ message }) => message).join('; '))
  }
  const open = async (name: string, trace: string): Promise<Result<OpenTrace, string>> => {
    const results = await read(name)
    if (!results.ok) return results
    const trials = results.value.targets.flatMap(({ attacks }) => attacks.flatMap((attack) => attack.trials))
    if (!trials.some((trial) => trial.trace === trace)) return err('the results name no such trace')
    const folder = await folderOf(name)
    return folder.ok ? ok((options) => openTrace(folder.value, trace, options)) : folder
  }
  const summary = async (name: string, changed: number): Promise<ResultsSummary> => {
    const kept = known.get(name)
    if (kept?.changed === changed) return kept.summary
    const results = await read(name)
    const made = results.ok
      ? summaryOf(name, results.value)
      : { name, started_at: '', targets: [], fault: results.error }
    known.set(name, { changed, summary: made })
    return made
  }
  return {
    read,
    async list() {
      const found = namesIn(home).flatMap((name) => {
        const changed = changedAt(join(home, name))
        return changed === undefined ? [] : [{ name, changed }]
      })
      const newest = found.sort((a, b) => (a.name < b.name ? 1 : -1)).slice(0, limits.results)
      const summaries: ResultsSummary[] = [...(await campaigns.list())]
      for (const { name, changed } of newest) summaries.push(await summary(name, changed))
      return summaries.sort((a, b) => (a.started_at < b.started_at ? 1 : -1))
    },
    open,
    async trace(name, trace) {
      const opened = await open(name, trace)
      if (!opened.ok) return opened
      const entries: TraceEntry[] = []
      for await (const item of opened.value({})) {
        if (item.ok) entries.push(item.value)
        if (entries.length >= limits.traceEntries) break
      }
      return ok(entries)
    },
  }
}

function namesIn(home: string): string[] {
  try {
    return readdirSync(home).filter(isName)
  } catch {
    // Nothing was run yet.
    return []
  }
}

function isName(name: string): boolean {
  return !name.startsWith('.') && !/[/\\\0]/.test(name) && name !== ''
}

/** When results were written; undefined where there are none, or a link leads elsewhere. */
function changedAt(folder: string): number | undefined {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined
  const file = lstatSync(join(folder, RESULTS_FILE), { throwIfNoEntry: false })
  return file?.isFile() === true ? file.mtimeMs : undefined
}

function summaryOf(name: string, { started_at, targets }: Results): ResultsSummary {
  return {
    name,
    started_at,
    targets: targets.map((target) => ({
      name: target.name,
      attacks: target.attacks.map(({ file, attack, outcome }) => ({ file, name: attack.name, outcome })),
    })),
  }
}
