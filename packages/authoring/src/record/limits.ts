/** Limits of a recording. */
export const recordLimits = {
  /** Bytes per recorded message. Longer messages are passed on in full, but recorded truncated and malformed. */
  messageBytes: 16 * 1024 * 1024,
  /** Messages per recording. Later messages are passed on, but not recorded. */
  messages: 1_000_000,
  /** Unanswered requests per peer. The oldest are dropped first. */
  openRequests: 10_000,
  /** Milliseconds between interrupting and killing an agent. */
  endMs: 3_000,
  /** Milliseconds for a server to exit after its input has ended. */
  serverEndMs: 5_000,
  /** Recorded characters of an HTTP error. */
  errorText: 2_000,
  /** The pause between two writes of `session.yaml`, as a multiple of the duration of the last write. */
  sessionPause: 20,
} as const
