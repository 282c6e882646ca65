/** The positive control of a suite: checks which documents exploit a simulated agent that obeys everything. */

import type { AsyncSemanticEvaluator } from '@joust/oatf'
import type { Trial } from '@joust/results'
import { isSemantic, runSuite, type SuiteAttack } from '@joust/trials'
import { adaptiveLimits } from '../limits.ts'
import { SIMULATED, simulatedRuns } from './simulated-runs.ts'

/** The result of the positive control for one document. */
export interface PositiveControl {
  /** True if `sim/credulous` or the vulnerable server was exploited. */
  readonly proven: boolean
  /**
   * True if `sim/cautious` or the safe server was exploited too, so that the attack does not require an obedient agent.
   */
  readonly unspecific: boolean
  /** True if every run ended normally, so that the result can be reused. */
  readonly repeatable: boolean
}

/** Options for {@link runPositiveControl}. */
export interface PositiveControlOptions {
  /** Stops the runs. @default never aborted */
  readonly signal?: AbortSignal
  /**
   * Judges semantic indicators of documents that cannot be proven without a judge.
   * @default none (such documents stay unproven)
   */
  readonly semantic?: AsyncSemanticEvaluator
  /** Ignores derived AG-UI events in triggers and extractors. @default false */
  readonly strict?: boolean
}

/**
 * Runs documents against simulated agents in this process. Returns the results of completed runs by document fingerprint.
 *
 * @example
 * const controls = await runPositiveControl([{ file: 'mine', attack }])
 * console.log(controls.has(attack.fingerprint))
 */
export async function runPositiveControl(
  attacks: readonly SuiteAttack[],
  { semantic, ...options }: PositiveControlOptions = {},
): Promise<ReadonlyMap<string, PositiveControl>> {
  const results = new Map(await controlOnce(attacks, options))
  // Runs without a model come first, because they are free.
  const open = attacks.filter((one) => isSemantic(one) && results.get(one.attack.fingerprint)?.proven === false)
  if (semantic !== undefined && open.length > 0)
    for (const [fingerprint, result] of await controlOnce(open, { ...options, semantic }))
      results.set(fingerprint, result)
  return results
}

async function controlOnce(
  attacks: readonly SuiteAttack[],
  options: PositiveControlOptions,
): Promise<ReadonlyMap<string, PositiveControl>> {
  const results = new Map<string, PositiveControl>()
  const agents = ['credulous', 'cautious'] as const
  const [first, second] = await Promise.all(agents.map((agent) => trialsAgainst(agent, attacks, options)))
  for (const { file, attack } of attacks) {
    const [credulous, cautious] = [first?.get(file), second?.get(file)]
    if (credulous === undefined || cautious === undefined) continue
    const proven = credulous.outcome === 'exploited'
    results.set(attack.fingerprint, {
      proven,
      unspecific: proven && cautious.outcome === 'exploited',
      // The judge may fail, or judge differently next time.
      repeatable: [credulous, cautious].every(({ ended }) => ended === 'done') && (proven || !options.semantic),
    })
  }
  return results
}

/** Runs the attacks on one agent. Returns the trials by file. Interrupted trials are omitted. */
async function trialsAgainst(
  agent: 'credulous' | 'cautious',
  attacks: readonly SuiteAttack[],
  { signal, semantic, strict = false }: PositiveControlOptions,
): Promise<ReadonlyMap<string, Trial>> {
  const trials = new Map<string, Trial>()
  const suite = runSuite(attacks, {
    run: (one) => ({ ...simulatedRuns[agent](one), ...(strict && { strict }) }),
    skipPreflight: SIMULATED,
    concurrency: adaptiveLimits.controlRuns,
    ...(signal && { signal }),
    ...(semantic && { evaluators: { semantic } }),
  })
  for await (const { file, trial } of suite) if (trial.ended !== 'interrupted') trials.set(file, trial)
  return trials
}
