/** The fixed limits of this package. */
export const ioLimits = {
  /** Maximum time to wait for a process after SIGKILL, in milliseconds. */
  dyingMs: 5000,
  /** Maximum number of searches for orphaned processes. */
  strayPasses: 5,
  /** Maximum size of a lock file, in bytes. */
  lockBytes: 64 * 1024,
} as const
