import type { AttackVerdict } from '@joust/oatf'

/** What the exit code of the command says; scripts rely on it. */
export const exitCodes = {
  ok: 0,
  /** `validate`, `lint`, `fmt`, `conformance`, `agent check`: something was found, differs, or could not be read. */
  findings: 1,
  /** `agent run`, `agent serve`: the agent cannot be run, or its run failed. */
  failedRun: 1,
  /** `evaluate`: how far the attack got. */
  notExploited: 0,
  exploited: 1,
  localAction: 2,
  boundaryBreach: 3,
  partial: 4,
  /** `evaluate`: nothing can be said about the agent. */
  errorVerdict: 5,
  /** The program itself failed. */
  failure: 10,
  /** Wrong usage: an unknown option, a path that is not there, a folder without documents. */
  usage: 64,
  interrupted: 130,
  terminated: 143,
} as const

/** The exit code of one verdict. */
export function verdictCode({ result, max_tier }: Pick<AttackVerdict, 'result' | 'max_tier'>): number {
  if (result === 'not_exploited') return exitCodes.notExploited
  if (result === 'partial') return exitCodes.partial
  if (result === 'error') return exitCodes.errorVerdict
  if (max_tier === 'local_action') return exitCodes.localAction
  return max_tier === 'boundary_breach' ? exitCodes.boundaryBreach : exitCodes.exploited
}
