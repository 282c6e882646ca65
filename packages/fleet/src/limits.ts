/** Fixed limits of this package. */
export const fleetLimits = {
  /** Milliseconds until a lease that is not renewed expires. The run then returns to the queue. */
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
  /** Maximum number of workers that may crash during a run before it is abandoned. */
  tries: 3,
  /** Maximum difference between the clocks of a worker and the database, in milliseconds. Leases depend on both. */
  clockMs: 5000,
  /** Maximum number of rows per statement. */
  batch: 500,
  /** Maximum length of a trace, in characters. */
  traceCharacters: 256 * 1024 * 1024,
  /** Maximum uncompressed size of a trace read from the database, in bytes. */
  traceBytes: 256 * 1024 * 1024,
  /** Milliseconds between a worker's checks for watched runs. */
  liveMs: 1000,
  /** Milliseconds for which a run stays watched after a request for it. */
  watchMs: 10_000,
  /** Maximum length of a live trace, in characters. A longer trace is shown only after its run has ended. */
  liveCharacters: 16 * 1024 * 1024,
  /** Maximum length of a target with its files, in characters. */
  targetCharacters: 16 * 1024 * 1024,
  /** Maximum number of database connections per process, in addition to those for queues. */
  connections: 4,
  /** Maximum number of turns in the agent memory of a scope. */
  memoryTurns: 100,
  /** Milliseconds for which access to agent memory is retried. */
  memoryMs: 10_000,
} as const
