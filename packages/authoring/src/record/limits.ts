/** Limits of recordings. */
export const recordLimits = {
  /** Bytes of a recorded message; a longer one is passed on in full, and recorded truncated and malformed. */
  messageBytes: 16 * 1024 * 1024,
  /** Messages per recording; later ones are passed on without being recorded. */
  messages: 1_000_000,
  /** Unanswered requests from a server; the oldest is dropped first. */
  openRequests: 10_000,
  /** Milliseconds between the interruption of an agent and its kill. */
  endMs: 3_000,
  /** Milliseconds that the shim gives a server to exit after the end of its input. */
  serverEndMs: 5_000,
  /** Characters of an HTTP error that are recorded. */
  errorText: 2_000,
  /** The pause between two writes of `session.yaml`, as a multiple of the duration of the last one. */
  sessionPause: 20,
} as const
