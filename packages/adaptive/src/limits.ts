/** Limits of searching, hardening and proving. */

export const adaptiveLimits = {
  /** Milliseconds to wait for the absent agent in a proof. */
  absentMs: 300,
  /** Milliseconds to wait for late requests of a simulated agent, which runs in this process. */
  observeMs: 250,
  /** Concurrent runs of the positive control, which mostly wait. */
  controlRuns: 16,
  /** Entries of a cache of proofs. */
  proofs: 20_000,
  /** Bytes of an entry in a cache of proofs. */
  proofBytes: 4096,
  /** Characters of an unmatched value in a proof. */
  unmatchedText: 500,
  /** Recent attempts that the attacker sees. */
  attackerAttempts: 2000,
  /** Recent attempts that the attacker sees in full, with bait and messages. */
  attackerWhole: 24,
  /** Messages from the agent that the attacker sees from the start of a run, and from its end. */
  attackerLines: 10,
  /** Characters of each of these messages. */
  attackerLineText: 400,
  /** Questions to the attacker per base and round. */
  attackerQuestions: 20,
  /** Consecutive answers from the attacker without a new proposal. */
  attackerFaults: 3,
  /** Sets of restraints per search; most are decided without a run. */
  hardenSets: 200_000,
  /** Timeout of the attacker's model, in milliseconds. */
  attackerMs: 2 * 60_000,
} as const
