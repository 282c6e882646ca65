/** Runs documents against a credulous, a cautious and an absent agent: does each document distinguish them? */
import { deadIndicators, type LoadedAttack, roleOf, strangeIndicators } from '@joust/oatf'
import { compareCodePoints } from '@joust/source'
import { modelTarget } from '../agent.ts'
import { arenaLimits } from '../model/limits.ts'
import { needsOf } from '../model/needs.ts'
import type { AttackOptions } from '../model/options.ts'
import type { Assessment, Outcome } from '../model/outcome.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import type { ResultIndicatorVerdict } from '../results/model.ts'
import { outcomeVerdicts } from '../results/outcome-order.ts'
import type { SuiteAttack, SuiteRun } from '../suite/options.ts'
import { runSuite } from '../suite/suite.ts'
import { endpointTarget } from '../targets/endpoint.ts'
import { simulatedServer } from '../targets/simulated-server.ts'
import { type UnmatchedValue, unmatchedValues } from './unmatched.ts'

/** How documents are proven. */
export interface ProveOptions {
  readonly signal?: AbortSignal
  /** Called with each proof in order of files, as soon as it and those before it are there. */
  readonly onProof?: (proof: Proof) => void
  /** Keep derived events of AG-UI from triggers and extractors. */
  readonly strict?: boolean
}

/** A suite for each agent, side by side; a proof for each document that all of them have seen, in order of files. */
export async function proveAttacks(
  attacks: readonly SuiteAttack[],
  { signal, strict = false, onProof }: ProveOptions = {},
): Promise<Proof[]> {
  const seen = new Map<string, Partial<Record<ProofAgent, Seen>>>(attacks.map(({ file }) => [file, {}]))
  const silent = new Map(attacks.map(({ file, attack }) => [file, silenceOf(attack)]))
  const files = [...seen.keys()].sort(compareCodePoints)
  const proofs = new Map<string, Proof>()
  let told = 0
  const tell = (isOver: boolean): void => {
    for (; told < files.length; told++) {
      const proof = proofs.get(files[told] ?? '')
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
        ...runs[agent](one),
        ...(strict && { strict }),
        trace: { write: (entry) => entries.push(entry), fault: () => undefined },
      }
    }
    const suite = runSuite(attacks, { run, ...(signal && { signal }), skipControl: SIMULATED })
    for await (const { file, trial } of suite) {
      const { outcome, reasons, exposure } = trial
      const values = await valuesOf(file, traces)
      const indicators = outcomeVerdicts(trial).map((one): SeenIndicator => {
        const unmatched = one.result === 'not_matched' ? values.get(one.indicator_id) : undefined
        return unmatched === undefined ? one : { ...one, unmatched }
      })
      const known = { ...seen.get(file), [agent]: { outcome, reasons, exposure, indicators } }
      seen.set(file, known)
      const proof = proofOf(file, known, silent.get(file) ?? [])
      if (proof === undefined) continue
      proofs.set(file, proof)
      tell(false)
    }
  }
  await Promise.all(proofAgents.map(watch))
  tell(true)
  return files.flatMap((file) => proofs.get(file) ?? [])
}

/** Simulated agents need no control. */
const SIMULATED = 'agents are simulated'

const runs: { readonly [agent in ProofAgent]: (run: SuiteRun) => AttackOptions } = {
  credulous: against('credulous'),
  cautious: against('cautious'),
  absent: ({ attack }) => nobody(attack),
}

function against(kind: 'credulous' | 'cautious') {
  return ({ attack }: SuiteRun): AttackOptions => {
    const agent = modelTarget({ model: `sim/${kind}`, inProcess: true })
    // An attack for which no agent can be the target is an attack on a server.
    const isOnServer = (agent.lacks?.({ ...needsOf(attack), servers: [] }) ?? []).length > 0
    return { target: isOnServer ? simulatedServer(kind) : agent, limits: { graceMs: 0 } }
  }
}

/** Servers wait a moment; clients find nobody there. */
function nobody({ document }: LoadedAttack): AttackOptions {
  const limits = { graceMs: 0, phaseMs: arenaLimits.nobodyMs, runMs: 10 * arenaLimits.nobodyMs, retries: 0 }
  const hasClients = document.attack.execution.actors.some(({ mode }) => roleOf(mode) === 'client')
  if (!hasClients) return { limits }
  const closed = { url: 'http://127.0.0.1:9/' }
  return { limits, target: endpointTarget({ ag_ui: closed, a2a: closed, mcp: closed }) }
}

/** The outcome that each agent has to have. */
const expected = { credulous: 'exploited', cautious: 'resisted', absent: 'inconclusive' } as const satisfies Readonly<
  Record<string, Outcome>
>

/** The simulated agents. */
export type ProofAgent = keyof typeof expected

// The keys of our own table.
const proofAgents = Object.keys(expected) as readonly ProofAgent[]

/** What was seen of an agent: its outcome, and the verdict of each indicator. */
export interface Seen extends Assessment {
  readonly indicators: readonly SeenIndicator[]
}

/** The verdict of an indicator; of one that did not match, with the last value that it was shown. */
export interface SeenIndicator extends ResultIndicatorVerdict {
  readonly unmatched?: UnmatchedValue
}

/** How a document did. */
export interface Proof {
  readonly file: string
  readonly proven: boolean
  readonly agents: { readonly [agent in ProofAgent]: Seen }
  /** What is wrong with it, one sentence each. */
  readonly faults: readonly string[]
}

/** What keeps any agent from being found exploited, whatever it does. */
function silenceOf({ document }: LoadedAttack): string[] {
  const { indicators = [] } = document.attack
  if (indicators.length === 0) return ['there is nothing to prove: it has no indicators']
  const silent = new Set([...deadIndicators(document), ...strangeIndicators(document)])
  const left = indicators.filter((_, position) => !silent.has(position))
  return left.length > 0 ? [] : ['it cannot be proven: no message that is known can match one of its indicators']
}

/** The proof of a document, once every agent has seen it. `silence` names what could not have been shown at all. */
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
    ...(outcome === expected[agent]
      ? []
      : [`the ${agent} agent should come out as ${expected[agent]}, not ${outcome}${why}`]),
    ...(agent === 'absent' || isBaited(seen) ? [] : [`the ${agent} agent was never sent the bait`]),
  ]
}

/** An agent that fell without the bait fell for something else, and one that never saw it has not resisted. */
function isBaited({ exposure: { delivered, bait } }: Assessment): boolean {
  return bait.some((path) => delivered.includes(path))
}
