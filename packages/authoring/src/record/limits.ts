/** Limits of a recording. */
export const recordLimits = {
  /** Maximum bytes per recorded message. Longer ones are passed on in full, but recorded as truncated and malformed. */
  messageBytes: 16 * 1024 * 1024,
  /** Maximum number of messages per recording. Later messages are passed on, but not recorded. */
  messages: 1_000_000,
  /** Maximum number of unanswered requests per peer. The oldest requests are dropped first. */
  openRequests: 10_000,
  /** Milliseconds between interrupting and killing an agent. */
  endMs: 3_000,
  /** Milliseconds to wait for a server to exit after its input has ended. */
  serverEndMs: 5_000,
  /** Maximum number of recorded characters of an HTTP error. */
  errorText: 2_000,
  /** The pause between two writes of `session.yaml`, as a multiple of the duration of the last write. */
  sessionPause: 20,
} as const
