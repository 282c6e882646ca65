/** What the exit code of the command says; scripts rely on it. */
export const exitCodes = {
  ok: 0,
  /** Checks have found something or differ; `prove`, `harden`, `mutate` did not succeed; `diff --fail-on` regressed. */
  findings: 1,
  /** `agent run`, `agent serve`: the agent cannot be run, or its run failed. */
  failedRun: 1,
  /** `run`, `evaluate`: nothing can be said about the agent. The other codes for outcomes are in the arena. */
  inconclusive: 5,
  /** The system refuses a file or an address (results cannot be written, a port is in use), or the program failed. */
  failure: 10,
  /** Wrong usage: an unknown option, a path that does not exist, a folder without documents. */
  usage: 64,
  /** The terminal was closed. */
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const
