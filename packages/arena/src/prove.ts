/** `@joust/arena/prove`: does a document tell agents apart? Needs `@joust/runtime` and `@joust/sim`. */

export type { Proof, ProofAgent, Seen } from './prove/prove.ts'
export { type ProveOptions, proveAttacks } from './prove/prove.ts'
