/** Runs documents against a credulous, a cautious and an absent agent: does each of them tell agents apart? */
import { type LoadedAttack, roleOf } from '@joust/oatf'
import { compareCodePoints } from '@joust/source'
import { modelTarget } from '../agent.ts'
import { bounds } from '../model/limits.ts'
import { needsOf } from '../model/needs.ts'
import type { RunOptions } from '../model/options.ts'
import type { SuiteAttack, SuiteRun } from '../suite/options.ts'
import { runSuite } from '../suite/suite.ts'
import { controlServer } from '../targets/control-server.ts'
import { endpointTarget } from '../targets/endpoint.ts'
import { type Proof, type ProofControl, proofControls, proofOf, type Seen, silenceOf } from './proof.ts'

/** How documents are proven. */
export interface ProveOptions {
  readonly signal?: AbortSignal
  /** Hears of each proof as soon as it is there. */
  readonly onProof?: (proof: Proof) => void
}

/** A suite for each control, side by side; a proof for each document that all of them have seen, in the order of their files. */
export async function proveAttacks(
  attacks: readonly SuiteAttack[],
  { signal, onProof }: ProveOptions = {},
): Promise<Proof[]> {
  const seen = new Map<string, Partial<Record<ProofControl, Seen>>>(attacks.map(({ file }) => [file, {}]))
  const silent = new Map(attacks.map(({ file, attack }) => [file, silenceOf(attack)]))
  const proofs: Proof[] = []
  const watch = async (control: ProofControl) => {
    const suite = runSuite(attacks, { run: runs[control], ...(signal && { signal }), skipControl: SIMULATED })
    for await (const { file, trial } of suite) {
      const { outcome, reasons, exposure, verdict } = trial
      const indicators = verdict.indicator_verdicts
      const known = { ...seen.get(file), [control]: { outcome, reasons, exposure, indicators } }
      seen.set(file, known)
      const proof = proofOf(file, known, silent.get(file) ?? [])
      if (proof === undefined) continue
      proofs.push(proof)
      onProof?.(proof)
    }
  }
  await Promise.all(proofControls.map(watch))
  return proofs.sort((a, b) => compareCodePoints(a.file, b.file))
}

/** Nobody has to show that he can do anything here. */
const SIMULATED = 'agents are simulated'

const runs: { readonly [control in ProofControl]: (run: SuiteRun) => RunOptions } = {
  credulous: against('credulous'),
  cautious: against('cautious'),
  absent: ({ attack }) => nobody(attack),
}

function against(kind: 'credulous' | 'cautious') {
  return ({ attack }: SuiteRun): RunOptions => {
    const agent = modelTarget({ model: `sim/${kind}`, inProcess: true })
    // What no agent can be attacked with is an attack on a server.
    const isOnServer = (agent.lacks?.(needsOf(attack)) ?? []).length > 0
    return { target: isOnServer ? controlServer(kind) : agent, limits: { graceMs: 0 } }
  }
}

/** Servers wait a moment; clients find a closed door. */
function nobody({ document }: LoadedAttack): RunOptions {
  const limits = { graceMs: 0, phaseMs: bounds.nobodyMs, runMs: 10 * bounds.nobodyMs, retries: 0 }
  const hasClients = document.attack.execution.actors.some(({ mode }) => roleOf(mode) === 'client')
  if (!hasClients) return { limits }
  const closed = { url: 'http://127.0.0.1:9/' }
  return { limits, target: endpointTarget({ ag_ui: closed, a2a: closed, mcp: closed }) }
}
