/** Every bound of this package that its callers do not pass in. */
export const fleetLimits = {
  /** Milliseconds for which a worker has a run without saying that it still lives; then the run is handed out again. */
  leaseMs: 30_000,
  /** Milliseconds between two looks for runs when there were none. */
  idleMs: 250,
  /** Milliseconds between two looks at campaigns: which are open, cancelled, or out of budget. */
  refreshMs: 1000,
  /** Milliseconds before a worker checks again whether it can attack a target that it has left to others. */
  leftMs: 60_000,
  /** Milliseconds before a database that did not answer is asked again; each further wait is twice as long. */
  firstWaitMs: 200,
  /** Milliseconds of the longest such wait. */
  longestWaitMs: 5000,
  /** Milliseconds for a connection to the database to be made. */
  connectMs: 10_000,
  /** Workers that may be lost with the same run before it is given up. */
  tries: 3,
  /** Milliseconds that the clock of a worker may differ from that of the database: leases depend on both. */
  clockMs: 5000,
  /** Runs that are entered in one statement. */
  batch: 500,
  /** Characters of a trace. */
  traceCharacters: 256 * 1024 * 1024,
  /** Bytes of a trace that is read from the database, uncompressed. */
  traceBytes: 256 * 1024 * 1024,
  /** Milliseconds between two looks of a worker for runs that somebody watches. */
  liveMs: 1000,
  /** Milliseconds for which a run counts as watched after somebody asked for it. */
  watchMs: 10_000,
  /** Characters of a trace that is shown while its run is under way; a longer one is shown at the end. */
  liveCharacters: 16 * 1024 * 1024,
  /** Characters of a target with the files that come with it. */
  targetCharacters: 16 * 1024 * 1024,
  /** Connections of one process to the database, besides those of its queues. */
  connections: 4,
} as const
