export const adaptiveLimits = {
  /** Milliseconds to wait for the absent agent in a proof. */
  absentMs: 300,
  /** Milliseconds to wait for late requests from a simulated agent, which runs in this process. */
  observeMs: 250,
  /** Concurrent runs of the positive control. They mostly wait. */
  controlRuns: 16,
  /** Entries in the proof cache. */
  proofs: 20_000,
  /** Bytes per entry in the proof cache. */
  proofBytes: 4096,
  /** Characters of an unmatched value in a proof. */
  unmatchedText: 500,
  /** Recent attempts in a question to the attacker. */
  attackerAttempts: 2000,
  /** Recent attempts with bait and messages in a question to the attacker. */
  attackerWhole: 24,
  /** Agent messages per attempt in a question to the attacker, from the start and from the end of the run. */
  attackerLines: 10,
  /** Characters per agent message in a question to the attacker. */
  attackerLineText: 400,
  /** Questions to the attacker per base and round. */
  attackerQuestions: 20,
  /** Consecutive attacker answers without a new proposal after which the search ends. */
  attackerFaults: 3,
  /** Sets of restraints per search. Most are decided without a run. */
  hardenSets: 200_000,
  /** Timeout of a question to the attacker, in milliseconds. */
  attackerMs: 2 * 60_000,
} as const
