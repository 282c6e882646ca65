/** `joust prove ATTACK…`: does a document distinguish agents? */
import { jsonText } from '@joust/source'
import type { ProveOptions } from '../options/results.ts'
import { coloursFor } from '../render/colours.ts'
import { proofText } from '../render/proof-text.ts'
import { selectAttacks } from '../run/attacks.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf, type Io } from '../terminal/io.ts'

/** Runs each document against a credulous, a cautious and an absent agent; 1 when one does not discriminate. */
export async function prove(paths: readonly string[], options: ProveOptions, io: Io): Promise<number> {
  const selected = await selectAttacks(paths, { quiet: options.quiet, strict: options.strict }, io)
  if (!selected.ok) return selected.error
  const { attacks, broken } = selected.value
  return io.stoppable(async (signal) => {
    const { proveAttacks } = await import('@joust/arena/prove')
    const proofs = await proveAttacks(attacks, {
      signal,
      onProof(proof) {
        if (!options.json) io.stdout.write(proofText(proof, coloursFor(io, 'stdout'), io.stdout.columns))
      },
    })
    if (options.json) io.stdout.write(jsonText(proofs))
    if (signal.aborted) return exitCodeOf(signal)
    const proven = proofs.filter((proof) => proof.proven).length
    const all = attacks.length === 1 ? '1 document tells' : `${attacks.length} documents tell`
    if (!options.quiet && !options.json) io.stderr.write(`${proven} of ${all} agents apart\n`)
    return proven === attacks.length && broken.length === 0 ? exitCodes.ok : exitCodes.findings
  })
}
