/** Exit codes of the command; scripts rely on them. */
export const exitCodes = {
  ok: 0,
  /** Findings or differences; also a failed `prove`, `harden` or `mutate`, and a regression with `diff --fail-on`. */
  findings: 1,
  /** `agent run`, `agent serve`: the agent cannot be run, or its run failed. */
  failedRun: 1,
  /** `run`, `evaluate`: the result is inconclusive. The codes of other outcomes are defined in the arena. */
  inconclusive: 5,
  /** A system error (such as a file that cannot be written or a port that is in use), or an internal error. */
  failure: 10,
  /** Wrong usage, such as an unknown option, a path that does not exist or a folder without documents. */
  usage: 64,
  /** The terminal was closed (SIGHUP). */
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const
