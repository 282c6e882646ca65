export const adaptiveLimits = {
  /** Milliseconds to wait for the absent agent in a proof. */
  absentMs: 300,
  /** Milliseconds to wait for late requests from a simulated agent, which runs in this process. */
  observeMs: 250,
  /** Maximum number of concurrent runs in the positive control. The runs mostly wait. */
  controlRuns: 16,
  /** Maximum number of entries in the proof cache. */
  proofs: 20_000,
  /** Maximum size of a proof cache entry in bytes. */
  proofBytes: 4096,
  /** Maximum length of an unmatched value in a proof, in characters. */
  unmatchedText: 500,
  /** Maximum number of recent attempts in a question to the attacker. */
  attackerAttempts: 2000,
  /** Maximum number of recent attempts that a question to the attacker shows with bait and messages. */
  attackerWhole: 24,
  /** Maximum number of agent messages per attempt in a question to the attacker, from each end of the run. */
  attackerLines: 10,
  /** Maximum length of an agent message in a question to the attacker, in characters. */
  attackerLineText: 400,
  /** Maximum number of questions to the attacker per base and round. */
  attackerQuestions: 20,
  /** Number of consecutive attacker responses without a new proposal after which the search ends. */
  attackerFaults: 3,
  /** Maximum number of restraint sets per search. Most sets are decided without a run. */
  hardenSets: 200_000,
  /** Timeout of a question to the attacker, in milliseconds. */
  attackerMs: 2 * 60_000,
} as const
