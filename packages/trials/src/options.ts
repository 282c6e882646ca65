/** The attacks and options of a suite. */

import type { AttackOptions, CallUsage, RunEvent } from '@joust/arena'
import type { AsyncEvaluators, AsyncSemanticEvaluator, Canaries, LoadedAttack } from '@joust/oatf'
import type { Redacted, Redactor, ResultPreflight, ResultTarget, Trial } from '@joust/results'
import { type Diagnostic, err, ok, type Result } from '@joust/source'
import type { BudgetLimits } from './budget.ts'
import type { SuiteFolder } from './folder.ts'
import type { ArmChoice, TrialPlan } from './plan.ts'
import type { Arm } from './run-key.ts'

/**
 * An attack of a suite; `file` is the name under which its results are stored.
 *
 * @example
 * const suite = runSuite([{ file: 'time-bomb', attack: libraryAttack('time-bomb') }], { run: () => ({ target }) })
 */
export interface SuiteAttack {
  readonly file: string
  readonly attack: LoadedAttack
}

/** True for an attack with an indicator that only a judge can evaluate. */
export function isSemantic({ attack }: Pick<SuiteAttack, 'attack'>): boolean {
  return attack.document.attack.indicators?.some(({ semantic }) => semantic !== undefined) === true
}

/** A document that cannot be run, which is listed in the results with its errors. */
export interface BrokenAttack {
  readonly file: string
  readonly faults: readonly Diagnostic[]
}

/**
 * Checks that the names of attacks are unique, because results are stored by name; the error is a message.
 *
 * @example
 * const checked = checkNames([{ file: 'a' }, { file: 'a' }])
 * console.log(checked.ok ? 'different' : checked.error) // duplicate attack name a; results are stored by name, so rename one
 */
export function checkNames(documents: Iterable<Pick<SuiteAttack, 'file'>>): Result<void, string> {
  const names = new Set<string>()
  for (const { file } of documents) {
    if (names.has(file)) return err(`duplicate attack name ${file}; results are stored by name, so rename one`)
    names.add(file)
  }
  return ok(undefined)
}

/** A planned run of a suite. */
export interface SuiteRun extends SuiteAttack {
  readonly arm: Arm
  /** Number of the trial in its arm, from 1. */
  readonly trial: number
  /** Must be called for every model call, so that the call counts against the budget. */
  readonly spend: (usage: CallUsage) => void
  /** New values for the canaries of the attack, which a recording contains; absent in the preflight. */
  readonly canaries?: Canaries
  /** True for the preflight. */
  readonly isPreflight?: true
}

/** The options of a run of a suite; see {@link runSuite}. */
export interface SuiteRunOptions extends AttackOptions {
  /** Values for the canaries, such as those in a recording. @default the canaries of the `SuiteRun` */
  readonly canaries?: Canaries
}

/** A finished run of a suite. */
export interface SuiteTrial {
  readonly file: string
  readonly arm: Arm
  readonly trial: Redacted<Trial>
  /** True for a trial from earlier results. */
  readonly resumed?: true
}

/**
 * Options for a suite.
 *
 * @example
 * const suite = runSuite([{ file: 'a', attack }], {
 *   run: ({ file }) => ({ target: functionTarget({ name: file, call }) }),
 *   trials: { limit: 0.1, most: 50 },
 *   arms: 'placebo',
 *   budget: { tokens: 200_000 },
 * })
 */
export interface SuiteOptions {
  /** The target as described in the results. @default the kind and name of the first target */
  readonly about?: ResultTarget
  /**
   * Creates the options of a run. Called for each run, because a target belongs to a single run.
   * @default no target: actors play against each other
   */
  readonly run?: (run: SuiteRun) => SuiteRunOptions | Promise<SuiteRunOptions>
  /** Documents that cannot be run. @default [] */
  readonly broken?: readonly BrokenAttack[]
  /** The number of concurrent runs. @default 4 */
  readonly concurrency?: number
  /** The number of runs per attack, or the question that ends the runs. @default 1 */
  readonly trials?: TrialPlan['trials']
  /**
   * Additional runs for comparison. `placebo`: a successful attack is also run without its bait. `sensitivity`: an
   * unsuccessful attack is also run in the arm of this name, for which `run` replaces the model. `unspecific`: only a
   * document that exploits even an agent that obeys only its user is also run without its bait.
   *
   * @default 'none'
   */
  readonly arms?: ArmChoice
  /** The `strict` option that the attacks were loaded with. @default false */
  readonly strict?: boolean
  /** The maximum number of retries of a run that is inconclusive for a reason outside the agent. @default 0 */
  readonly retries?: number
  /** @default no limits */
  readonly budget?: BudgetLimits
  /** @default a CEL evaluator and no semantic evaluator */
  readonly evaluators?: AsyncEvaluators
  /**
   * Opens the evaluator of semantic indicators, which is closed with the suite. Its calls count against the budget.
   * @default none: semantic indicators are skipped
   */
  readonly judge?: (suite: Pick<SuiteRun, 'spend'> & { readonly signal: AbortSignal }) => Promise<SuiteJudge>
  /**
   * The folder for traces and finished trials. Earlier trials in this folder are not run again.
   * @default none: nothing is written
   */
  readonly folder?: SuiteFolder
  /** Redacts secrets before anything is stored. @default secrets with a known format */
  readonly redactor?: Redactor
  /**
   * Stops the suite when aborted: active runs are judged by their messages so far, and no further runs are started.
   * @default never aborted
   */
  readonly signal?: AbortSignal
  /** The result of an earlier preflight of the same target, to avoid repeating it. @default a preflight by the suite */
  readonly preflight?: ResultPreflight
  /** Skips the preflight; the text is the reason in the results. @default the preflight runs */
  readonly skipPreflight?: string
  /** Called at the start of the preflight and with its outcome. @default none */
  readonly onPreflight?: (preflight: ResultPreflight | 'started') => void
  /** Called with the events of each run. @default none */
  readonly onEvent?: (
    run: Pick<SuiteRun, 'file' | 'arm' | 'trial'>,
    event: RunEvent | { readonly type: 'run-started' },
  ) => void
}

/** The evaluator of semantic indicators ([OATF §11.4.8](https://oatf.io/specification/conformance/)). */
export interface SuiteJudge {
  readonly evaluator: AsyncSemanticEvaluator
  readonly about: NonNullable<ResultTarget['judge']>
  /** Agreement of the judge with the examples in the documents. */
  readonly agreements: Agreements
  close(): void
}

/** The number of examples that the evaluator classified correctly, and of all examples, by file and indicator. */
export type Agreements = ReadonlyMap<
  string,
  readonly { readonly indicator: string; readonly right: number; readonly of: number }[]
>
