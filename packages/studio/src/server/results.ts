/** Reads stored results, from the results folder of `joust run` and from campaigns. */
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { overviewAttack } from '@joust/report'
import {
  type AttackResults,
  createBaitCall,
  type ResultsWith,
  runsOf,
  type TraceEntry,
  type Trial,
} from '@joust/results'
import { openTrace, RESULTS_FILE, RESULTS_HOME, scanResults } from '@joust/results/files'
import { type Diagnostic, defined, err, ok, type Result, writeJson } from '@joust/source'
import type { OpenTrace, ResultsSummary, StoredTrace } from '../model/api.ts'
import { limits } from '../model/limits.ts'
import type { StoredCampaigns } from './campaigns.ts'

interface Overview {
  readonly changed: number | undefined
  readonly summary: ResultsSummary
  readonly json: string
}

interface StoredTrial {
  readonly trial: Trial
  readonly read: OpenTrace
}

export interface StoredRuns {
  /** Returns all results, newest first. */
  list(): Promise<ResultsSummary[]>
  /** Reads results as JSON, with the attacks reduced to their overviews. */
  overview(name: string): Promise<Result<string, string>>
  attack(name: string, target: string, file: string): Promise<Result<AttackResults, string>>
  trace(name: string, trace: string): Promise<Result<StoredTrace, string>>
  /** Opens a trace without parsing it. */
  open(name: string, trace: string): Promise<Result<OpenTrace, string>>
}

export function openStoredRuns(root: string, campaigns: StoredCampaigns): StoredRuns {
  const home = join(root, RESULTS_HOME)
  const folderOf = async (name: string): Promise<Result<string, string>> => {
    const exported = campaigns.folderOf(name)
    if (exported !== undefined) return exported
    return isName(name) && changedAt(join(home, name)) !== undefined
      ? ok(join(home, name))
      : err(`unknown results ${JSON.stringify(name)}`)
  }
  const readWith = async <T>(name: string, reader: (folder: string) => Promise<Result<T, Diagnostic[]>>) => {
    const folder = await folderOf(name)
    if (!folder.ok) return folder
    const loaded = await reader(folder.value)
    return loaded.ok ? loaded : err(loaded.error.map(({ message }) => message).join('; '))
  }
  const scan = <T>(name: string, keep: (attack: AttackResults) => T) =>
    readWith(name, (folder) => scanResults(folder, keep))
  const find = async (name: string, trace: string): Promise<Result<StoredTrial, string>> => {
    const scanned = await scan(name, (attack) => runsOf(attack).find((one) => one.trace === trace))
    if (!scanned.ok) return scanned
    const { folder, results } = scanned.value
    const trial = results.targets.flatMap(({ attacks }) => attacks).find((one) => one !== undefined)
    if (trial === undefined) return err(`unknown trace ${JSON.stringify(trace)}`)
    return ok({ trial, read: (options) => openTrace(folder, trace, options) })
  }
  const overviews = createOverviews((name) => scan(name, overviewAttack))
  return {
    overview: (name) => overviews.json(name, changedAt(join(home, name))),
    async attack(name, target, file) {
      const scanned = await scan(name, (attack) => (attack.file === file ? attack : undefined))
      if (!scanned.ok) return scanned
      const attacks = scanned.value.results.targets.find((one) => one.name === target)?.attacks
      const attack = attacks?.find((one) => one !== undefined)
      return attack === undefined
        ? err(`unknown attack ${JSON.stringify(file)} on ${JSON.stringify(target)}`)
        : ok(attack)
    },
    async list() {
      const folders = namesIn(home).flatMap((name) => {
        const changed = changedAt(join(home, name))
        return changed === undefined ? [] : [{ name, changed }]
      })
      const newest = folders.sort((a, b) => (a.name < b.name ? 1 : -1)).slice(0, limits.results)
      const all: ResultsSummary[] = [...(await campaigns.list())]
      for (const { name, changed } of newest) all.push(await overviews.summary(name, changed))
      return all.sort((a, b) => (a.started_at < b.started_at ? 1 : -1))
    },
    async open(name, trace) {
      const stored = await find(name, trace)
      return stored.ok ? ok(stored.value.read) : stored
    },
    async trace(name, trace) {
      const stored = await find(name, trace)
      return stored.ok ? ok(await messagesOf(stored.value)) : stored
    },
  }
}

type Scan = (name: string) => Promise<Result<{ readonly results: ResultsWith<AttackResults> }, string>>

/** Caches all summaries and the last overviews. `changed` is undefined for results that may change. */
function createOverviews(scan: Scan) {
  const summaries = new Map<string, { readonly changed: number; readonly summary: ResultsSummary }>()
  const overviews = new Map<string, Overview>()
  const read = async (name: string, changed: number | undefined): Promise<Result<Overview, string>> => {
    const scanned = await scan(name)
    if (!scanned.ok) return scanned
    const { results } = scanned.value
    const overview = { changed, summary: summaryOf(name, results), json: writeJson(results) }
    overviews.delete(name)
    if (changed !== undefined) overviews.set(name, overview)
    for (const oldest of [...overviews.keys()].slice(0, -limits.overviews)) overviews.delete(oldest)
    return ok(overview)
  }
  return {
    async json(name: string, changed: number | undefined): Promise<Result<string, string>> {
      const cached = overviews.get(name)
      if (cached !== undefined && cached.changed === changed) return ok(cached.json)
      const overview = await read(name, changed)
      return overview.ok ? ok(overview.value.json) : overview
    },
    async summary(name: string, changed: number): Promise<ResultsSummary> {
      const cached = summaries.get(name)
      if (cached?.changed === changed) return cached.summary
      const overview = await read(name, changed)
      const summary = overview.ok
        ? overview.value.summary
        : { name, started_at: '', targets: [], fault: overview.error }
      summaries.set(name, { changed, summary })
      return summary
    },
  }
}

async function messagesOf({ trial, read }: StoredTrial): Promise<StoredTrace> {
  const entries: TraceEntry[] = []
  const model = createBaitCall(trial.exposure)
  for await (const item of read(model)) if (item.ok && entries.length < limits.traceEntries) entries.push(item.value)
  return defined({ entries, baitCall: model.finish() })
}

function namesIn(home: string): string[] {
  try {
    return readdirSync(home).filter(isName)
  } catch {
    // The folder does not exist before the first run.
    return []
  }
}

function isName(name: string): boolean {
  return !name.startsWith('.') && !/[/\\\0]/.test(name) && name !== ''
}

/** Returns the modification time of results. Undefined if they do not exist or are symbolic links. */
function changedAt(folder: string): number | undefined {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined
  const file = lstatSync(join(folder, RESULTS_FILE), { throwIfNoEntry: false })
  return file?.isFile() === true ? file.mtimeMs : undefined
}

function summaryOf(name: string, { started_at, targets }: ResultsWith<AttackResults>): ResultsSummary {
  const attackSummary = ({ file, attack, outcome }: AttackResults) => ({ file, name: attack.name, outcome })
  return {
    name,
    started_at,
    targets: targets.map((target) => ({ name: target.name, attacks: target.attacks.map(attackSummary) })),
  }
}
