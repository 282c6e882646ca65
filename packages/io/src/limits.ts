/** Every bound of this package that its callers do not pass in. */
export const ioLimits = {
  /** Milliseconds for a process to die once it has been killed. */
  dyingMs: 5000,
  /** Times that processes are looked for that a killed one has left behind. */
  strayPasses: 5,
  /** Bytes of a lock file. */
  lockBytes: 1024,
} as const
