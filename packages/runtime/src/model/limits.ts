/** Every bound on what a run may wait for and keep, in one table; hosts set some of them with `timeouts`. */
export const runtimeLimits = {
  /** Milliseconds of one call of a tool, unless the host says otherwise. */
  toolMs: 120_000,
  /** Milliseconds for a server or remote agent to be connected and to list its tools, unless the host says otherwise. */
  connectMs: 30_000,
} as const
