/** `@joust/arena/prove`: does a document distinguish agents? Needs `@joust/runtime` and `@joust/sim`. */

export type { Proof, ProofAgent, Seen, SeenIndicator } from './prove/prove.ts'
export { type ProveOptions, proveAttacks } from './prove/prove.ts'
