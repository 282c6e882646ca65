/** Fixed limits of this package. */
export const fleetLimits = {
  /** Milliseconds until a lease expires unless renewed; the run then returns to the queue. */
  leaseMs: 30_000,
  /** Milliseconds between polls of an empty queue. */
  idleMs: 250,
  /** Milliseconds between reads of campaign states and budgets. */
  refreshMs: 1000,
  /** Milliseconds until a worker retries a target that it could not prepare. */
  refusalMs: 60_000,
  /** Milliseconds until the first retry of a failed query. Each further delay is twice as long. */
  firstWaitMs: 200,
  /** Maximum milliseconds between retries. */
  longestWaitMs: 5000,
  /** Milliseconds for which an interactive change, such as a submission, is retried. */
  retryMs: 60_000,
  /** Timeout in milliseconds for a database connection. */
  connectMs: 10_000,
  /** Number of workers that may crash during a run before it is abandoned. */
  tries: 3,
  /** Maximum milliseconds between the clocks of a worker and the database, which leases depend on. */
  clockMs: 5000,
  /** Rows per statement. */
  batch: 500,
  /** Characters of a trace. */
  traceCharacters: 256 * 1024 * 1024,
  /** Uncompressed bytes of a trace read from the database. */
  traceBytes: 256 * 1024 * 1024,
  /** Milliseconds between a worker's checks for watched runs. */
  liveMs: 1000,
  /** Milliseconds for which a run stays watched after a request for it. */
  watchMs: 10_000,
  /** Characters of a live trace. A longer one is shown only after its run. */
  liveCharacters: 16 * 1024 * 1024,
  /** Characters of a target, including its files. */
  targetCharacters: 16 * 1024 * 1024,
  /** Database connections per process, in addition to its queue connections. */
  connections: 4,
  /** Turns of agent memory kept per scope. */
  memoryTurns: 100,
  /** Milliseconds for which access to agent memory is retried. */
  memoryMs: 10_000,
} as const
