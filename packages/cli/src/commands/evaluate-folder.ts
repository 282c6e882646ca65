/**
 * `joust evaluate ATTACK… --trace FOLDER`: evaluates many recorded runs. The first line of each trace identifies the
 * attack; the first folder level below FOLDER is the target name.
 */
import { closeSync, readdirSync, readSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import type { JudgeOptions } from '@joust/arena'
import { openToRead } from '@joust/io'
import { createCelEvaluator } from '@joust/oatf'
import {
  decideAttack,
  describeAttack,
  knownShapes,
  outcomeCode,
  RESULTS_VERSION,
  type Redacted,
  type Results,
  redactResults,
  redactTrial,
  suiteFingerprint,
  type Trial,
  worstCode,
} from '@joust/results'
import { saveResults } from '@joust/results/files'
import { count, isRecord, joustVersion, jsonText, own, ownText, parseJson, printable } from '@joust/source'
import { lostTrial, type SuiteAttack } from '@joust/trials'
import type { EvaluateOptions } from '../options/results.ts'
import { selectAttacks } from '../run/attacks.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf, giveUp, type Io, tell, wrongUsage } from '../terminal/io.ts'
import { judgeAll } from './evaluate-trace.ts'

type FolderOptions = EvaluateOptions & { readonly trace: string }

interface RecordedRun {
  readonly path: string
  readonly target: string
  readonly attack: SuiteAttack
}

/** Evaluates every trace with its own attack; the exit code reflects the worst outcome. */
export async function evaluateFolder(paths: readonly string[], options: FolderOptions, io: Io): Promise<number> {
  if (options.judge !== undefined) return wrongUsage(['--judge takes a single trace, not a folder'], io)
  const selected = await selectAttacks(paths, { strict: options.strict }, io)
  if (!selected.ok) return selected.error
  const { attacks, broken } = selected.value
  const root = resolve(io.cwd, options.trace)
  const { runs, unknown } = findRuns(root, attacks)
  if (unknown > 0) tell(io, `skipped ${count(unknown, 'trace')} recorded for other attacks`)
  if (runs.length === 0)
    return wrongUsage([`${options.trace}: the folder contains no traces (*.jsonl) of these attacks`], io)
  return io.stoppable(async (signal) => {
    const startedAt = new Date()
    const trials = await judgeRuns(runs, root, signal, io)
    const results = resultsOf(attacks, trials, startedAt)
    if (options.out !== undefined) {
      const saved = saveResults(resolve(io.cwd, options.out), results)
      if (!saved.ok) return giveUp(saved.error.message, io)
      tell(io, relative(io.cwd, saved.value))
    }
    io.stdout.write(options.json ? jsonText(summaryOf(results)) : table(results))
    if (signal.aborted) return exitCodeOf(signal)
    const codes = results.targets.flatMap(({ attacks }) =>
      attacks.filter(({ trials }) => trials.length > 0).map(outcomeCode),
    )
    return worstCode([...codes, ...broken.map(() => exitCodes.inconclusive)])
  })
}

function findRuns(root: string, attacks: readonly SuiteAttack[]): { runs: RecordedRun[]; unknown: number } {
  const byId = new Map(attacks.map((attack) => [attack.attack.document.attack.id, attack]))
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const runs = files.flatMap((path): RecordedRun[] => {
    const attack = byId.get(attackIdIn(path))
    const [target = '', file] = relative(root, path).split(sep)
    return attack === undefined ? [] : [{ path, attack, target: file === undefined ? 'recording' : target }]
  })
  return { runs, unknown: files.length - runs.length }
}

const HEADER_BYTES = 65_536

function attackIdIn(path: string): string | undefined {
  const file = openToRead(path)
  try {
    const bytes = Buffer.alloc(HEADER_BYTES)
    const text = bytes.subarray(0, readSync(file, bytes)).toString()
    const header = parseJson(text.slice(0, text.indexOf('\n')))
    const attack = isRecord(header) ? own(header, 'attack') : undefined
    return isRecord(attack) ? ownText(attack, 'id') : undefined
  } finally {
    closeSync(file)
  }
}

type Trials = Map<string, Map<string, Redacted<Trial>[]>>

async function judgeRuns(runs: readonly RecordedRun[], root: string, signal: AbortSignal, io: Io): Promise<Trials> {
  const evaluators = { cel: createCelEvaluator(), signal }
  const trials: Trials = new Map()
  for (const [index, run] of runs.entries()) {
    if (signal.aborted) break
    const target = trials.get(run.target) ?? new Map<string, Redacted<Trial>[]>()
    const before = target.get(run.attack.file) ?? []
    const place = { trial: before.length + 1, trace: relative(root, run.path) }
    const trial = await judgeRun(run, place, evaluators, io)
    trials.set(run.target, target.set(run.attack.file, [...before, trial]))
    if (index % 2000 === 1999) tell(io, `${index + 1} of ${runs.length} traces …`)
  }
  return trials
}

async function judgeRun(
  { attack, path }: RecordedRun,
  { trial, trace }: { readonly trial: number; readonly trace: string },
  evaluators: JudgeOptions & { readonly signal: AbortSignal },
  io: Io,
): Promise<Redacted<Trial>> {
  const judged = await judgeAll([attack], path, evaluators, io)
  const [first] = judged.ok ? judged.value : []
  if (first === undefined) return lostTrial(trial, judged.ok ? 'no verdict' : judged.error)
  const rest = { trial, trace, duration_ms: 0, ended: 'done', actors: [], diagnostics: [] } as const
  return redactTrial({ ...first.assessed, ...rest }, [], knownShapes())
}

/** Builds results for the recorded targets; an attack without a trace has no trials. */
function resultsOf(attacks: readonly SuiteAttack[], trials: Trials, startedAt: Date): Redacted<Results> {
  const targets = [...trials].map(([name, byFile]) => ({
    kind: 'none' as const,
    name,
    attacks: attacks.map(({ file, attack }) => {
      const { text: _, ...about } = describeAttack(attack)
      const runs = { trials: byFile.get(file) ?? [], placebo: [], id: attack.document.attack.id }
      return { file, fingerprint: attack.fingerprint, attack: about, ...decideAttack(runs) }
    }),
  }))
  const most = Math.max(...targets.flatMap(({ attacks }) => attacks.map(({ trials }) => trials.length)))
  return redactResults(
    {
      version: RESULTS_VERSION,
      joust: joustVersion,
      started_at: startedAt.toISOString(),
      finished_at: new Date().toISOString(),
      suite: { trials: most, fingerprint: suiteFingerprint(attacks.map(({ attack }) => attack)) },
      targets,
    },
    knownShapes(),
  )
}

interface TargetSummary {
  readonly target: string
  readonly outcomes: Readonly<Record<string, number>>
}

function summaryOf({ targets }: Results): TargetSummary[] {
  return targets.map(({ name, attacks }) => {
    const outcomes: Record<string, number> = {}
    for (const { outcome } of attacks.flatMap(({ trials }) => trials)) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    return { target: name, outcomes }
  })
}

function table(results: Results): string {
  const lines = summaryOf(results).map(({ target, outcomes }) => {
    const counts = Object.entries(outcomes).map(([outcome, number]) => `${number} ${outcome}`)
    return `${printable(target)}: ${counts.join(', ')}`
  })
  return `${lines.join('\n')}\n`
}
