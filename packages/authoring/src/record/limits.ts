/** The limits of this folder. */
export const recordLimits = {
  /** Bytes of a recorded message; a longer one is passed on and recorded as malformed, cut at this length. */
  messageBytes: 16 * 1024 * 1024,
  /** Messages of a recording; later ones are only passed on. */
  messages: 1_000_000,
  /** Requests from a server whose answers are awaited; the oldest is forgotten. */
  openRequests: 10_000,
  /** Milliseconds for the agent to end after an interruption, before it is killed. */
  endMs: 3_000,
  /** Milliseconds for a server to end after its input, in the process between it and the agent. */
  serverEndMs: 5_000,
  /** Characters of an HTTP error that are recorded. */
  errorText: 2_000,
  /** The pause between two versions of `session.yaml`, as a multiple of the time that the last one took. */
  sessionPause: 20,
} as const
