/** Suites of attacks: the plan, the queue, the ledger and the budget of their runs. */

export { type Arms, createArms } from './arms.ts'
export { type BudgetLimits, type Cost, createSpending, type RunWithin } from './budget.ts'
export type { FinishedTrials } from './finished-trials.ts'
export { type FolderUse, openSuiteFolder, type SuiteFolder, type SuiteFolderError } from './folder.ts'
export {
  createLedger,
  type Ledger,
  type LedgerEntry,
  type LedgerProgress,
  noOutcomes,
  type RunTrace,
} from './ledger.ts'
export { trialLimits } from './limits.ts'
export {
  type Agreements,
  type BrokenAttack,
  checkNames,
  isSemantic,
  type SuiteAttack,
  type SuiteJudge,
  type SuiteOptions,
  type SuiteRun,
  type SuiteRunOptions,
  type SuiteTrial,
} from './options.ts'
export {
  type ArmChoice,
  type ArmResults,
  firstTrials,
  mostTrials,
  type TrialPlan,
  wantedRuns,
} from './plan.ts'
export { createPool, type Perform, type Queue, type TakeOptions } from './queue.ts'
export { lostTrial, suiteResults, suiteTrials } from './results.ts'
export { type Arm, armSuffix, arms, keyText, plannedRuns, type RunKey } from './run-key.ts'
export { finishSuite, runSuite } from './suite.ts'
export { attackOptionsOf, runTrial, type TrialJob } from './trial.ts'
