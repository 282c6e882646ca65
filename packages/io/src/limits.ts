/** Every bound of this package that its callers do not pass in. */
export const ioLimits = {
  /** Milliseconds for a process to die once it has been killed. */
  dyingMs: 5000,
} as const
