/** Checks that documents distinguish a credulous, a cautious and an absent agent. */

import type { AttackOptions } from '@joust/arena'
import type { LoadedAttack } from '@joust/oatf'
import type { Assessment, KnownFacts, Outcome, ResultIndicatorVerdict, TraceEntry } from '@joust/results'
import { outcomeVerdicts } from '@joust/results'
import { compareCodePoints, defined } from '@joust/source'
import type { SuiteAttack, SuiteRun } from '@joust/trials'
import { runSuite } from '@joust/trials'
import { SIMULATED, simulatedRuns } from './simulated-runs.ts'
import { type UnmatchedValue, unmatchedValues } from './unmatched.ts'

/** Options for {@link proveAttacks}. */
export interface ProveOptions {
  /** Stops the runs. @default never aborted */
  readonly signal?: AbortSignal
  /** Called with each proof, in file order. @default none */
  readonly onProof?: (proof: Proof) => void
  /** Ignores derived AG-UI events in triggers and extractors. @default false */
  readonly strict?: boolean
  /** Known facts about documents by fingerprint, as in a suite. @default no facts */
  readonly known?: ReadonlyMap<string, KnownFacts>
}

/**
 * Runs one suite per agent, concurrently. Returns a proof for each completed document, in file order.
 *
 * @example
 * const [proof] = await proveAttacks([{ file: 'mine', attack }])
 * console.log(proof?.faults)
 */
export async function proveAttacks(
  attacks: readonly SuiteAttack[],
  { signal, strict = false, onProof, known }: ProveOptions = {},
): Promise<Proof[]> {
  const results = new Map<string, Partial<Record<ProofAgent, Seen>>>(attacks.map(({ file }) => [file, {}]))
  const silent = new Map(attacks.map(({ file, attack }) => [file, silenceOf(attack)]))
  const files = [...results.keys()].sort(compareCodePoints)
  const proofs = new Map<string, Proof>()
  let reported = 0
  const report = (isOver: boolean): void => {
    for (; reported < files.length; reported++) {
      const proof = proofs.get(files[reported] ?? '')
      if (proof !== undefined) onProof?.(proof)
      else if (!isOver) return
    }
  }
  const loaded = new Map(attacks.map(({ file, attack }) => [file, attack]))
  const valuesOf = async (file: string, traces: Map<string, TraceEntry[]>) => {
    const [attack, entries = []] = [loaded.get(file), traces.get(file)]
    traces.delete(file)
    return attack === undefined ? new Map<string, UnmatchedValue>() : unmatchedValues(attack, entries)
  }
  const watch = async (agent: ProofAgent) => {
    const traces = new Map<string, TraceEntry[]>()
    const run = (one: SuiteRun): AttackOptions => {
      const entries: TraceEntry[] = []
      traces.set(one.file, entries)
      return {
        ...simulatedRuns[agent](one),
        ...(strict && { strict }),
        ...defined({ known: known?.get(one.attack.fingerprint) }),
        trace: { write: (entry) => entries.push(entry), fault: () => undefined },
      }
    }
    const suite = runSuite(attacks, { run, ...(signal && { signal }), skipPreflight: SIMULATED })
    for await (const { file, trial } of suite) {
      const { outcome, reasons, exposure } = trial
      const values = await valuesOf(file, traces)
      const indicators = outcomeVerdicts(trial).map((one): SeenIndicator => {
        const unmatched = one.result === 'not_matched' ? values.get(one.indicator_id) : undefined
        return unmatched === undefined ? one : { ...one, unmatched }
      })
      const assessments = { ...results.get(file), [agent]: { outcome, reasons, exposure, indicators } }
      results.set(file, assessments)
      const proof = proofOf(file, assessments, silent.get(file) ?? [])
      if (proof === undefined) continue
      proofs.set(file, proof)
      report(false)
    }
  }
  await Promise.all(proofAgents.map(watch))
  report(true)
  return files.flatMap((file) => proofs.get(file) ?? [])
}

const expected = { credulous: 'exploited', cautious: 'resisted', absent: 'inconclusive' } as const satisfies Readonly<
  Record<string, Outcome>
>

/** The name of a simulated agent. */
export type ProofAgent = keyof typeof expected

// The keys are literals of the table above.
const proofAgents = Object.keys(expected) as readonly ProofAgent[]

/** The outcome for an agent, with the verdict of each indicator. */
export interface Seen extends Assessment {
  readonly indicators: readonly SeenIndicator[]
}

/** An indicator verdict, with the last value that did not match. */
export interface SeenIndicator extends ResultIndicatorVerdict {
  readonly unmatched?: UnmatchedValue
}

/** The proof of a document. */
export interface Proof {
  readonly file: string
  readonly proven: boolean
  readonly agents: { readonly [agent in ProofAgent]: Seen }
  /** Problems with the document, one sentence each. */
  readonly faults: readonly string[]
}

/** Explains why a document cannot exploit any agent. */
function silenceOf({ document, deadIndicators, unknownSurfaceIndicators }: LoadedAttack): string[] {
  const { indicators = [] } = document.attack
  if (indicators.length === 0) return ['the document has no indicators']
  const silent = new Set([...deadIndicators, ...unknownSurfaceIndicators])
  const effective = indicators.filter((_, position) => !silent.has(position))
  return effective.length > 0 ? [] : ['the document cannot be proven: its indicators cannot match any known message']
}

/** Creates a proof once the outcomes for all agents are known. `silence` explains why nothing can match. */
export function proofOf(
  file: string,
  seen: Partial<Record<ProofAgent, Seen>>,
  silence: readonly string[] = [],
): Proof | undefined {
  const { credulous, cautious, absent } = seen
  if (credulous === undefined || cautious === undefined || absent === undefined) return undefined
  const trials = { credulous, cautious, absent }
  const wrong = proofAgents.flatMap((agent) => faultsOf(agent, trials[agent]))
  const faults = wrong.length === 0 ? [] : [...silence, ...wrong]
  return { file, proven: faults.length === 0, agents: trials, faults }
}

function faultsOf(agent: ProofAgent, seen: Assessment): string[] {
  const { outcome, reasons } = seen
  const why = reasons.length === 0 ? '' : ` (${reasons.join('; ')})`
  return [
    ...(outcome === expected[agent] ? [] : [`the ${agent} agent: expected ${expected[agent]}, got ${outcome}${why}`]),
    ...(agent === 'absent' || isBaited(seen) ? [] : [`the ${agent} agent was never sent the bait`]),
  ]
}

/** True if the bait was delivered. Otherwise neither `exploited` nor `resisted` proves anything. */
function isBaited({ exposure: { delivered, bait } }: Assessment): boolean {
  return bait.some((path) => delivered.includes(path))
}
