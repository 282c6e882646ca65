/** `joust prove ATTACK…`: does a document tell agents apart? */
import { type AttackRun, endpointTarget, type RunOptions, runAttack } from '@joust/arena'
import { roleOf } from '@joust/oatf'
import { printable } from '@joust/source'
import { type Colours, coloursFor } from '../render/colours.ts'
import { jsonText } from '../render/json.ts'
import { type SelectedAttack, selectAttacks } from '../run/attacks.ts'
import { verdictWord } from '../run/verdict-words.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf } from '../terminal/interruption.ts'
import type { Io } from '../terminal/io.ts'

export interface ProveOptions {
  readonly json?: boolean
  readonly quiet?: boolean
}

/** What each control has to come to. */
const expected = { credulous: 'exploited', cautious: 'not_exploited', absent: 'error' } as const

type Control = keyof typeof expected

/** How a document did. */
export interface Proof {
  readonly file: string
  readonly proven: boolean
  readonly verdicts: { readonly [control in Control]: AttackRun['verdict']['result'] }
  /** What is wrong with it, one sentence for each control that came out otherwise. */
  readonly faults: readonly string[]
}

/** How many documents are looked at at a time. */
const AT_ONCE = 4
/** How long nobody is waited for. */
const NOBODY_MS = 300

/** Runs each document against a credulous, a cautious and an absent agent; 1 when one does not discriminate. */
export async function prove(words: readonly string[], options: ProveOptions, io: Io): Promise<number> {
  const selected = await selectAttacks(words, {}, io)
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

/** Proofs in the order of the documents; each is told as soon as those before it are. */
export async function proveAll(
  attacks: readonly SelectedAttack[],
  signal: AbortSignal,
  tell: (proof: Proof) => void,
): Promise<Proof[]> {
  const proofs: Proof[] = []
  for (let from = 0; from < attacks.length && !signal.aborted; from += AT_ONCE) {
    const group = attacks.slice(from, from + AT_ONCE)
    for (const proof of await Promise.all(group.map((attack) => proofOf(attack, signal)))) {
      proofs.push(proof)
      tell(proof)
    }
  }
  return proofs
}

async function proofOf(attack: SelectedAttack, signal: AbortSignal): Promise<Proof> {
  const { modelTarget } = await import('@joust/arena/agent')
  const against = (model: string): RunOptions => ({
    target: modelTarget({ model, inProcess: true }),
    signal,
    limits: { graceMs: 0 },
  })
  const [credulous, cautious, absent] = await Promise.all([
    runAttack(attack.document, against('sim/credulous')),
    runAttack(attack.document, against('sim/cautious')),
    runAttack(attack.document, nobody(attack, signal)),
  ])
  const runs = { credulous, cautious, absent }
  const controls = Object.keys(expected) as Control[]
  const faults = controls.flatMap((control) => faultOf(control, runs[control]))
  const results = controls.map((control) => [control, runs[control].verdict.result])
  return { file: attack.file, proven: faults.length === 0, verdicts: Object.fromEntries(results), faults }
}

/** Servers wait a moment; clients find a closed door. */
function nobody({ document }: SelectedAttack, signal: AbortSignal): RunOptions {
  const limits = { graceMs: 0, phaseMs: NOBODY_MS, runMs: 10 * NOBODY_MS, retries: 0 }
  const hasClients = document.attack.execution.actors?.some(({ mode }) => roleOf(mode) === 'client') === true
  const closed = { url: 'http://127.0.0.1:9/' }
  if (!hasClients) return { signal, limits }
  return { signal, limits, target: endpointTarget({ ag_ui: closed, a2a: closed, mcp: closed }) }
}

function faultOf(control: Control, { verdict, diagnostics }: AttackRun): string[] {
  if (verdict.result === expected[control]) return []
  const why = diagnostics.find(({ severity }) => severity === 'error')?.message
  const reason = why === undefined ? '' : ` (${why})`
  return [`the ${control} agent should come out as ${expected[control]}, not ${verdict.result}${reason}`]
}

function line({ file, proven, verdicts, faults }: Proof, colours: Colours): string {
  const word = proven ? colours.green('proven    ') : colours.red('not proven')
  const cells = Object.entries(verdicts).map(([control, result]) => `${control} ${verdictWord({ result }, colours)}`)
  const details = faults.map((fault) => `    ${printable(fault)}\n`)
  return `${word}  ${cells.join('  ')}  ${printable(file)}\n${details.join('')}`
}
