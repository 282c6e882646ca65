/** `joust prove ATTACK…`: does a document tell agents apart? */
import { endpointTarget, type RunOptions, runSuite, type SuiteAttack, type SuiteRun, type Trial } from '@joust/arena'
import { type AttackResult, deadIndicators, type LoadedAttack, roleOf, strangeIndicators } from '@joust/oatf'
import { compareCodePoints, jsonText, printable } from '@joust/source'
import type { ProveOptions } from '../options/results.ts'
import { type Colours, coloursFor } from '../render/colours.ts'
import { selectAttacks } from '../run/attacks.ts'
import { verdictText } from '../run/verdict-text.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf } from '../terminal/interruption.ts'
import type { Io } from '../terminal/io.ts'

/** What each control has to come to. */
const expected = { credulous: 'exploited', cautious: 'not_exploited', absent: 'error' } as const

type Control = keyof typeof expected

// The keys of our own table.
const controls = Object.keys(expected) as readonly Control[]

/** How a document did. */
interface Proof {
  readonly file: string
  readonly proven: boolean
  readonly verdicts: { readonly [control in Control]: AttackResult }
  /** What is wrong with it, one sentence for each control that came out otherwise. */
  readonly faults: readonly string[]
}

/** How many documents are looked at at a time. */
const AT_ONCE = 4
/** How long nobody is waited for. */
const NOBODY_MS = 300

/** Runs each document against a credulous, a cautious and an absent agent; 1 when one does not discriminate. */
export async function prove(paths: readonly string[], options: ProveOptions, io: Io): Promise<number> {
  const selected = await selectAttacks(paths, { quiet: options.quiet }, io)
  if (!selected.ok) return selected.error
  const { attacks, broken } = selected.value
  return io.stoppable(async (signal) => {
    const proofs = await proveAll(attacks, signal, (proof) => {
      if (!options.json) io.stdout.write(line(proof, coloursFor(io, 'stdout')))
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
  const seen = new Map<string, Partial<Record<Control, Trial>>>(attacks.map(({ file }) => [file, {}]))
  const silent = new Map(attacks.map(({ file, attack }) => [file, silenceOf(attack)]))
  const proofs: Proof[] = []
  const runs = await runsOf(signal)
  await Promise.all(
    controls.map(async (control) => {
      for await (const { file, trial } of runSuite(attacks, { run: runs[control], concurrency: AT_ONCE, signal })) {
        const known = { ...seen.get(file), [control]: trial }
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

type Runs = { readonly [control in Control]: (run: SuiteRun) => RunOptions }

async function runsOf(signal: AbortSignal): Promise<Runs> {
  const { modelTarget } = await import('@joust/arena/agent')
  const against = (model: string) => () => ({
    target: modelTarget({ model, inProcess: true }),
    limits: { graceMs: 0 },
  })
  return {
    credulous: against('sim/credulous'),
    cautious: against('sim/cautious'),
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

/** What keeps every agent from coming out as exploited, whatever it does. */
function silenceOf({ document }: LoadedAttack): string[] {
  const { indicators = [] } = document.attack
  if (indicators.length === 0) return ['there is nothing to prove: it has no indicators']
  const silent = new Set([...deadIndicators(document), ...strangeIndicators(document)])
  const left = indicators.filter(({ id }) => id === undefined || !silent.has(id))
  return left.length > 0 ? [] : ['it cannot be proven: no message that is known can match one of its indicators']
}

/** The proof of a document, once every control has seen it. */
function proofOf(
  file: string,
  { credulous, cautious, absent }: Partial<Record<Control, Trial>>,
  silence: readonly string[],
): Proof | undefined {
  if (credulous === undefined || cautious === undefined || absent === undefined) return undefined
  const trials = { credulous, cautious, absent }
  const wrong = controls.flatMap((control) => faultOf(control, trials[control]))
  const faults = wrong.length === 0 ? [] : [...silence, ...wrong]
  const verdicts = {
    credulous: credulous.verdict.result,
    cautious: cautious.verdict.result,
    absent: absent.verdict.result,
  }
  return { file, proven: faults.length === 0, verdicts, faults }
}

function faultOf(control: Control, { verdict, diagnostics }: Trial): string[] {
  if (verdict.result === expected[control]) return []
  const why = diagnostics.find(({ severity }) => severity === 'error')?.message
  const reason = why === undefined ? '' : ` (${why})`
  return [`the ${control} agent should come out as ${expected[control]}, not ${verdict.result}${reason}`]
}

function line({ file, proven, verdicts, faults }: Proof, colours: Colours): string {
  const text = proven ? colours.green('proven    ') : colours.red('not proven')
  const cells = Object.entries(verdicts).map(([control, result]) => `${control} ${verdictText({ result }, colours)}`)
  const details = faults.map((fault) => `    ${printable(fault)}\n`)
  return `${text}  ${cells.join('  ')}  ${printable(file)}\n${details.join('')}`
}
