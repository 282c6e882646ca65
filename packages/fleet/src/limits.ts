/** Fixed limits of this package. */
export const fleetLimits = {
  /** Milliseconds after which a lease that is not renewed expires; the run then returns to the queue. */
  leaseMs: 30_000,
  /** Milliseconds between polls of an empty queue. */
  idleMs: 250,
  /** Milliseconds between reads of the state and the budgets of campaigns. */
  refreshMs: 1000,
  /** Milliseconds before a worker tries again to prepare a target that it could not attack. */
  refusalMs: 60_000,
  /** Milliseconds before the first retry of a failed query; each further delay is twice as long. */
  firstWaitMs: 200,
  /** Maximum delay between retries in milliseconds. */
  longestWaitMs: 5000,
  /** Milliseconds for which a submission or other interactive change is retried. */
  retryMs: 60_000,
  /** Timeout in milliseconds for a connection to the database. */
  connectMs: 10_000,
  /** Number of workers that may crash during the same run before it is given up. */
  tries: 3,
  /** Maximum difference in milliseconds between the clocks of a worker and the database; leases depend on both. */
  clockMs: 5000,
  /** Rows per statement. */
  batch: 500,
  /** Characters of a trace. */
  traceCharacters: 256 * 1024 * 1024,
  /** Uncompressed bytes of a trace read from the database. */
  traceBytes: 256 * 1024 * 1024,
  /** Milliseconds between a worker's checks for watched runs. */
  liveMs: 1000,
  /** Milliseconds for which a run counts as watched after a request for it. */
  watchMs: 10_000,
  /** Characters of a live trace; a longer one is shown when its run ends. */
  liveCharacters: 16 * 1024 * 1024,
  /** Characters of a target, including its files. */
  targetCharacters: 16 * 1024 * 1024,
  /** Database connections per process, in addition to its queue connections. */
  connections: 4,
  /** Turns that the memory of agents keeps per scope. */
  memoryTurns: 100,
  /** Milliseconds during which access to the memory of agents is retried. */
  memoryMs: 10_000,
} as const
