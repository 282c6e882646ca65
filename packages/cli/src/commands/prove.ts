/** `joust prove ATTACK…`: does a document tell agents apart? */
import {
  controlServer,
  endpointTarget,
  needsOf,
  type RunOptions,
  runSuite,
  type SuiteAttack,
  type SuiteRun,
} from '@joust/arena'
import { type LoadedAttack, roleOf } from '@joust/oatf'
import { compareCodePoints, jsonText } from '@joust/source'
import type { ProveOptions } from '../options/results.ts'
import { coloursFor } from '../render/colours.ts'
import { selectAttacks } from '../run/attacks.ts'
import { type Control, controls, type Proof, proofOf, type Seen, silenceOf } from '../run/proof.ts'
import { proofText } from '../run/proof-text.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf } from '../terminal/interruption.ts'
import type { Io } from '../terminal/io.ts'

/** How many documents are looked at at a time. */
const AT_ONCE = 4
/** How long nobody is waited for. */
const NOBODY_MS = 300

/** Runs each document against a credulous, a cautious and an absent agent; 1 when one does not discriminate. */
export async function prove(paths: readonly string[], options: ProveOptions, io: Io): Promise<number> {
  const selected = await selectAttacks(paths, { quiet: options.quiet, strict: options.strict }, io)
  if (!selected.ok) return selected.error
  const { attacks, broken } = selected.value
  return io.stoppable(async (signal) => {
    const proofs = await proveAll(attacks, signal, (proof) => {
      if (!options.json) io.stdout.write(proofText(proof, coloursFor(io, 'stdout'), io.stdout.columns))
    })
    if (options.json) io.stdout.write(jsonText(proofs))
    if (signal.aborted) return exitCodeOf(signal)
    const proven = proofs.filter((proof) => proof.proven).length
    if (!options.quiet && !options.json) io.stderr.write(`${proven} of ${attacks.length} documents tell agents apart\n`)
    return proven === attacks.length && broken.length === 0 ? exitCodes.ok : exitCodes.findings
  })
}

/** A suite for each control, side by side; a proof is told as soon as all of them have seen the document. */
async function proveAll(
  attacks: readonly SuiteAttack[],
  signal: AbortSignal,
  tell: (proof: Proof) => void,
): Promise<Proof[]> {
  const seen = new Map<string, Partial<Record<Control, Seen>>>(attacks.map(({ file }) => [file, {}]))
  const silent = new Map(attacks.map(({ file, attack }) => [file, silenceOf(attack)]))
  const proofs: Proof[] = []
  const runs = await runsOf(signal)
  await Promise.all(
    controls.map(async (control) => {
      for await (const { file, trial } of runSuite(attacks, {
        run: runs[control],
        concurrency: AT_ONCE,
        signal,
        skipControl: SIMULATED,
      })) {
        const { outcome, reasons, exposure, verdict } = trial
        const indicators = verdict.indicator_verdicts
        const known = { ...seen.get(file), [control]: { outcome, reasons, exposure, indicators } }
        seen.set(file, known)
        const proof = proofOf(file, known, silent.get(file) ?? [])
        if (proof === undefined) continue
        proofs.push(proof)
        tell(proof)
      }
    }),
  )
  return proofs.sort((a, b) => compareCodePoints(a.file, b.file))
}

/** Nobody has to show that he can do anything here. */
const SIMULATED = 'agents are simulated'

type Runs = { readonly [control in Control]: (run: SuiteRun) => RunOptions }

async function runsOf(signal: AbortSignal): Promise<Runs> {
  const { modelTarget } = await import('@joust/arena/agent')
  const against =
    (kind: 'credulous' | 'cautious') =>
    ({ attack }: SuiteRun) => {
      const agent = modelTarget({ model: `sim/${kind}`, inProcess: true })
      // What no agent can be attacked with is an attack on a server.
      const isOnServer = (agent.lacks?.(needsOf(attack)) ?? []).length > 0
      return { target: isOnServer ? controlServer(kind) : agent, limits: { graceMs: 0 } }
    }
  return {
    credulous: against('credulous'),
    cautious: against('cautious'),
    absent: ({ attack }) => nobody(attack, signal),
  }
}

/** Servers wait a moment; clients find a closed door. */
function nobody({ document }: LoadedAttack, signal: AbortSignal): RunOptions {
  const limits = { graceMs: 0, phaseMs: NOBODY_MS, runMs: 10 * NOBODY_MS, retries: 0 }
  const hasClients = document.attack.execution.actors.some(({ mode }) => roleOf(mode) === 'client')
  const closed = { url: 'http://127.0.0.1:9/' }
  if (!hasClients) return { signal, limits }
  return { signal, limits, target: endpointTarget({ ag_ui: closed, a2a: closed, mcp: closed }) }
}
