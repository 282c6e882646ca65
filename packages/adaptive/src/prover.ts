/** Proofs for the documents of a suite. Simulated agents are loaded on first use. */

export { createProofCache, type ProofCache, type ProofKey } from './prove/proof-cache.ts'
export {
  createProver,
  type DocumentProof,
  type ProveDocumentsOptions,
  type Prover,
  type ProverOptions,
} from './prove/prover.ts'
