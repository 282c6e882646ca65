/** `@joust/arena/prove`: does a document tell agents apart? Needs `@joust/runtime` and `@joust/sim`. */

export type { Proof, ProofControl, Seen } from './prove/proof.ts'
export { type ProveOptions, proveAttacks } from './prove/prove.ts'
