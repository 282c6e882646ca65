/** Proves the documents of a suite: from the library, a cache, a baseline, or a positive control in this process. */

import type { AsyncSemanticEvaluator } from '@joust/oatf'
import type { KnownFacts } from '@joust/results'
import { isSemantic, type SuiteAttack } from '@joust/trials'
import type { PositiveControl } from './positive-control.ts'
import type { ProofCache, ProofKey } from './proof-cache.ts'

/** Facts about a document that do not depend on the target. */
export type DocumentProof = Pick<KnownFacts, 'unspecific'> & Required<Pick<KnownFacts, 'proven'>>

/** Sources of proofs for {@link createProver}. */
export interface ProverOptions {
  /** Cache of earlier proofs. @default none (everything is proven again) */
  readonly cache?: ProofCache
  /** Documents proven by an earlier positive control, by fingerprint. @default none */
  readonly library?: ReadonlyMap<string, Pick<DocumentProof, 'unspecific'>>
  /** Fingerprints of documents that exploited a target in earlier results. @default none */
  readonly baseline?: ReadonlySet<string>
  /** Ignores derived AG-UI events in triggers and extractors. @default false */
  readonly strict?: boolean
}

/** Options for `prove`; see {@link createProver}. */
export interface ProveDocumentsOptions {
  /** Stops the runs. @default never aborted */
  readonly signal?: AbortSignal
  /**
   * Evaluates semantic indicators of documents that cannot be proven otherwise. The cache identifies it by `model`.
   * @default none (such documents stay unproven)
   */
  readonly judge?: { readonly model: string; readonly evaluator: AsyncSemanticEvaluator }
  /** Called with the number of documents before a positive control. @default none */
  readonly onControl?: (documents: number) => void
}

/** A prover of documents, which proves each document only once. */
export interface Prover {
  /** Returns the proof of each document by fingerprint. Never rejects: a failed or interrupted control proves nothing. */
  prove(attacks: readonly SuiteAttack[], options?: ProveDocumentsOptions): Promise<ReadonlyMap<string, DocumentProof>>
  /** Marks a document as proven for later runs because it exploited a target. Returns a function that undoes this. */
  addExploited(fingerprint: string): () => void
}

type Controls = ReadonlyMap<string, PositiveControl>

/**
 * Creates a prover. Pass the proofs to runs as `known`, so that an unproven document never yields `resisted`.
 *
 * @example
 * const proven = await createProver().prove([{ file: 'mine', attack }])
 */
export function createProver({ cache, library, baseline, strict = false }: ProverOptions = {}): Prover {
  const finished = new Map<string, Promise<DocumentProof>>()
  const exploited = new Set<string>()
  const controlled = async (
    attacks: readonly SuiteAttack[],
    { judge, signal, onControl }: ProveDocumentsOptions,
  ): Promise<ReadonlyMap<string, DocumentProof>> => {
    const keyOf = (one: SuiteAttack): ProofKey => ({
      fingerprint: one.attack.fingerprint,
      strict,
      ...(judge && isSemantic(one) && { judge: judge.model }),
    })
    const proofs = new Map<string, DocumentProof>()
    const open = attacks.filter((one) => {
      const entry = cache?.read(keyOf(one))
      if (entry !== undefined) proofs.set(one.attack.fingerprint, proofOf(entry, one, baseline))
      return entry === undefined
    })
    if (open.length > 0) onControl?.(open.length)
    const options = { strict, ...(signal && { signal }), ...(judge && { semantic: judge.evaluator }) }
    const controls = open.length === 0 ? new Map() : await positiveControls(open, options)
    for (const one of open) {
      const result = controls.get(one.attack.fingerprint)
      if (result?.repeatable === true) cache?.write(keyOf(one), result)
      proofs.set(one.attack.fingerprint, proofOf(result, one, baseline))
    }
    return proofs
  }
  return {
    async prove(attacks, options = {}) {
      const open = attacks.filter(({ attack }) => !finished.has(attack.fingerprint))
      for (const { attack } of open) {
        const shipped = strict ? undefined : library?.get(attack.fingerprint)
        if (shipped !== undefined) finished.set(attack.fingerprint, Promise.resolve({ proven: 'library', ...shipped }))
      }
      const unknown = open.filter(({ attack }) => !finished.has(attack.fingerprint))
      const batch = controlled(unknown, options)
      for (const { attack } of unknown)
        finished.set(
          attack.fingerprint,
          batch.then((proofs) => proofs.get(attack.fingerprint) ?? UNPROVEN),
        )
      const facts = attacks.map(async ({ attack: { fingerprint } }) => {
        const proof = (await finished.get(fingerprint)) ?? UNPROVEN
        const isShown = proof.proven === 'no' && exploited.has(fingerprint)
        return [fingerprint, isShown ? ({ proven: 'results' } as const) : proof] as const
      })
      return new Map<string, DocumentProof>(await Promise.all(facts))
    },
    addExploited(fingerprint) {
      if (exploited.has(fingerprint)) return () => {}
      exploited.add(fingerprint)
      return () => void exploited.delete(fingerprint)
    },
  }
}

const UNPROVEN: DocumentProof = { proven: 'no' }

/** Imports the simulated agents only when they are needed. */
async function positiveControls(
  attacks: readonly SuiteAttack[],
  options: Parameters<typeof import('./positive-control.ts').runPositiveControl>[1],
): Promise<Controls> {
  const { runPositiveControl } = await import('./positive-control.ts')
  // A failed control proves nothing and must not end the suite.
  return runPositiveControl(attacks, options).catch(() => new Map())
}

function proofOf(
  result: Pick<PositiveControl, 'proven' | 'unspecific'> | undefined,
  { attack }: SuiteAttack,
  baseline: ReadonlySet<string> | undefined,
): DocumentProof {
  if (result?.proven === true) return { proven: 'simulation', ...(result.unspecific && { unspecific: true }) }
  return baseline?.has(attack.fingerprint) === true ? { proven: 'baseline' } : UNPROVEN
}
