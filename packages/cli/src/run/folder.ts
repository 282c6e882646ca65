/** Where the results of a run go. */
import { access, mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { loadResults, openResults, type ResultsFile, type ResultTarget } from '@joust/arena'
import { err, ok, type Result } from '@joust/source'
import type { RunOptions } from '../options/run.ts'
import type { Io } from '../terminal/io.ts'
import type { SelectedAttack } from './attacks.ts'
import { type Redaction, redactTarget } from './redaction.ts'

/** A folder that is ready for results. */
export interface ResultsFolder {
  readonly path: string
  /** The path of the trace of a run, relative to the folder. */
  traceOf(file: string, trial: number): string
  /** What earlier runs have left, and where this one adds. */
  readonly journal: ResultsFile
}

/** What the results of a folder are of. */
export interface FolderUse {
  readonly target: ResultTarget
  readonly redaction: Redaction
  readonly attacks: readonly SelectedAttack[]
  readonly trials: number
}

/** Makes the folder, or opens the one to go on in; a folder that holds other results is left alone. */
export async function openFolder(
  { out, resume, judge }: Partial<Pick<RunOptions, 'out' | 'resume' | 'judge'>>,
  { target, redaction, attacks, trials }: FolderUse,
  now: Date,
  io: Io,
): Promise<Result<ResultsFolder, string>> {
  const name = resume ?? out ?? join('joust-results', stamp(now))
  const path = resolve(io.cwd, name)
  const used = await isThere(join(path, 'journal.jsonl'))
  if (resume !== undefined && !used) return err(`--resume ${resume}: there are no results to go on from`)
  if (resume === undefined && (used || (await isThere(join(path, 'results.json'))))) {
    return err(`${name} holds results already; --resume ${name} goes on from them, --out names another folder`)
  }
  try {
    await mkdir(join(path, 'traces'), { recursive: true })
  } catch (thrown) {
    return err(`${name} cannot be made: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
  }
  const left = resume === undefined ? undefined : await leftOut(path, attacks, trials)
  if (left !== undefined) return err(`--resume ${resume}: ${left}`)
  const about = JSON.stringify({ ...redactTarget(target, redaction), ...(judge === undefined ? {} : { judge }) })
  const journal = await openResults(join(path, 'journal.jsonl'), about)
  if (!journal.ok) return err(journal.error.message)
  const names = new Map<string, string>()
  return ok({ path, journal: journal.value, traceOf: (file, trial) => `traces/${nameFor(file, names)}.${trial}.jsonl` })
}

/** What earlier results hold that this run would lose, as a sentence. */
async function leftOut(path: string, attacks: readonly SelectedAttack[], trials: number): Promise<string | undefined> {
  const before = await loadResults(path)
  // A suite that was killed has left none.
  if (!before.ok) return undefined
  const names = new Set(attacks.map(({ file }) => file))
  const lost = before.value.results.attacks.filter((attack) => attack.trials.length > 0 && !names.has(attack.file))
  const [first] = lost
  if (first !== undefined) return `the results hold ${first.file}, which is not among the attacks now; name it too`
  const most = before.value.results.suite.trials
  return trials < most ? `the results hold ${most} trials of each attack; --trials ${most} keeps them` : undefined
}

/** A name that can stand in any file system; each attack has its own. */
function nameFor(file: string, names: Map<string, string>): string {
  const known = names.get(file)
  if (known !== undefined) return known
  const base = file
    .replace(/\.(?:oatf\.)?(?:yaml|yml|json)$/, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  const plain = base.slice(-80) || 'attack'
  const taken = new Set(names.values())
  let name = plain
  for (let count = 2; taken.has(name); count++) name = `${plain}-${count}`
  names.set(file, name)
  return name
}

function stamp(now: Date): string {
  return now.toISOString().slice(0, 19).replaceAll(':', '-')
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
