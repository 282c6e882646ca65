/** `--baseline`: compares the results of this run with earlier results. */
import { resolve } from 'node:path'
import {
  type AttackComparison,
  type Comparison,
  compareResults,
  type Results,
  type ResultTarget,
  suiteFingerprint,
} from '@joust/results'
import { loadResults } from '@joust/results/files'
import { err, messageWithHint, ok, printable, type Result } from '@joust/source'
import type { SuiteAttack } from '@joust/trials'
import { type Io, tell } from '../terminal/io.ts'

export async function loadBaseline(path: string | undefined, io: Io): Promise<Result<Results | undefined, string>> {
  if (path === undefined) return ok(undefined)
  const loaded = await loadResults(resolve(io.cwd, path))
  if (loaded.ok) return ok(loaded.value.results)
  return err(`--baseline ${path}: ${loaded.error.map(messageWithHint).join('; ')}`)
}

/** Keeps the targets of a baseline that are run again, or all targets if none of them is. */
export function onlyTargets(targets: readonly ResultTarget[], results: Results): Results {
  const run = results.targets.filter((old) => targets.some((now) => isSame(old, now)))
  return run.length === 0 ? results : { ...results, targets: run }
}

function isSame(one: ResultTarget, other: ResultTarget): boolean {
  return one.kind === other.kind && one.name === other.name
}

/** Returns the reasons why a run of these attacks on these targets cannot be compared with a baseline. */
export function baselineFaults(
  before: Results,
  targets: readonly ResultTarget[],
  attacks: readonly SuiteAttack[],
): string[] {
  const suite = { ...before.suite, fingerprint: suiteFingerprint(attacks.map(({ attack }) => attack)) }
  const likely = targets.map((target) => {
    // The judge is not known yet.
    const { judge } = before.targets.find((old) => isSame(old, target)) ?? before.targets[0] ?? {}
    return { ...target, ...(judge === undefined ? {} : { judge }), attacks: [] }
  })
  const comparison = compareResults(before, { ...before, suite, targets: likely })
  if (comparison.ok) return []
  return comparison.error.map(
    (reason) => `--baseline cannot be compared: ${reason}; use --force-baseline to compare anyway`,
  )
}

/** Prints the changes, or the reasons why the results cannot be compared. */
export function tellComparison(comparison: Result<Comparison, string[]>, after: Results, io: Io): void {
  if (!comparison.ok) {
    for (const reason of comparison.error) tell(io, `the baseline cannot be compared: ${reason}`)
    return
  }
  for (const change of comparison.value.models) tell(io, `compared with the baseline although the ${change}`)
  for (const attack of comparison.value.attacks) {
    if (attack.status !== 'unchanged') tell(io, line(attack, after.targets.length > 1))
  }
  const { counts } = comparison.value
  const parts = Object.entries(counts).filter(([, count]) => count > 0)
  tell(io, `compared with the baseline: ${parts.map(([status, count]) => `${count} ${status}`).join(', ')}`)
}

function line({ status, name, target, before, after, test }: AttackComparison, several: boolean): string {
  const side = (of: AttackComparison['before']) => (of === undefined ? '–' : `${of.fell}/${of.judged}`)
  const p = test === undefined ? '' : ` (p ${test.p.toFixed(3)})`
  return `${status.padEnd(9)} ${printable(several ? `${name} on ${target}` : name)}  ${side(before)} → ${side(after)}${p}`
}
