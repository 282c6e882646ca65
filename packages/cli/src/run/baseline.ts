/** `--baseline`: the results of this run beside earlier ones. */
import { resolve } from 'node:path'
import {
  type AttackComparison,
  type Comparison,
  compareResults,
  loadResults,
  type Results,
  type ResultTarget,
  type SuiteAttack,
  suiteFingerprint,
} from '@joust/arena'
import { err, messageWithHint, ok, printable, type Result } from '@joust/source'
import type { Io } from '../terminal/io.ts'

/** Reads the baseline, before anything is run. */
export async function readBaseline(path: string | undefined, io: Io): Promise<Result<Results | undefined, string>> {
  if (path === undefined) return ok(undefined)
  const loaded = await loadResults(resolve(io.cwd, path))
  if (loaded.ok) return ok(loaded.value.results)
  return err(`--baseline ${path}: ${loaded.error.map(messageWithHint).join('; ')}`)
}

/** Why a run of these attacks against this target could not be compared with a baseline; known before it begins. */
export function baselineFaults(before: Results, target: ResultTarget, attacks: readonly SuiteAttack[]): string[] {
  const suite = { ...before.suite, fingerprint: suiteFingerprint(attacks.map(({ attack }) => attack)) }
  const known = before.targets.find(({ kind, name }) => kind === target.kind && name === target.name)
  const { judge } = known ?? before.targets[0] ?? {}
  // Which judge there will be is known only later.
  const likely = { ...target, ...(judge === undefined ? {} : { judge }) }
  const comparison = compareResults(before, { ...before, suite, targets: [{ ...likely, attacks: [] }] })
  if (comparison.ok) return []
  return comparison.error.map(
    (reason) => `--baseline cannot be compared: ${reason}; --force-baseline compares all the same`,
  )
}

/** Compares, and prints what is not as it was. Undefined when the two are not to be compared, which is told. */
export function tellComparison(before: Results, after: Results, force: boolean, io: Io): Comparison | undefined {
  const comparison = compareResults(before, after, { force })
  if (!comparison.ok) {
    for (const reason of comparison.error)
      io.stderr.write(`joust: the baseline cannot be compared: ${printable(reason)}\n`)
    return undefined
  }
  for (const attack of comparison.value.attacks) {
    if (attack.status !== 'unchanged') io.stderr.write(`joust: ${line(attack, after.targets.length > 1)}\n`)
  }
  const { counts } = comparison.value
  const parts = Object.entries(counts).filter(([, count]) => count > 0)
  io.stderr.write(`joust: against the baseline: ${parts.map(([status, count]) => `${count} ${status}`).join(', ')}\n`)
  return comparison.value
}

function line({ status, name, target, before, after, test }: AttackComparison, several: boolean): string {
  const side = (of: AttackComparison['before']) => (of === undefined ? '–' : `${of.fell}/${of.judged}`)
  const p = test === undefined ? '' : ` (p ${test.p.toFixed(3)})`
  return `${status.padEnd(9)} ${printable(several ? `${name} on ${target}` : name)}  ${side(before)} → ${side(after)}${p}`
}
