/** What a suite is made of, and what it may be told. */
import type { AsyncEvaluators, AsyncSemanticEvaluator, LoadedAttack } from '@joust/oatf'
import type { Diagnostic } from '@joust/source'
import type { RunEvent, RunOptions } from '../model/options.ts'
import type { Redacted } from '../model/redacted.ts'
import type { ResultControl, ResultTarget, Trial } from '../results/model.ts'
import type { Redactor } from '../results/redactor.ts'
import type { BudgetLimits, CallUsage } from './budget.ts'
import type { SuiteFolder } from './folder.ts'

/** An attack of a suite; `file` is the name of its results. */
export interface SuiteAttack {
  readonly file: string
  readonly attack: LoadedAttack
}

/** What should have been an attack and cannot be run: the results say so. */
export interface BrokenAttack {
  readonly file: string
  readonly faults: readonly Diagnostic[]
}

/** One run of a suite, before it begins. */
export interface SuiteRun extends SuiteAttack {
  /** Counts from 1. */
  readonly trial: number
  /** To be told of calls of models, so that they count against the budget. */
  readonly spend: (usage: CallUsage) => void
  /** Set where it is not an attack but the control before all of them. */
  readonly isControl?: true
}

/** One run of a suite, when it is over. */
export interface SuiteTrial {
  readonly file: string
  readonly trial: Redacted<Trial>
  /** It was not run now but taken from earlier results. */
  readonly resumed?: true
}

/** How a suite is run. */
export interface SuiteOptions {
  /** Who is attacked, as the results tell it. */
  readonly about?: ResultTarget
  /** The options of one run; called for each, since a target belongs to one run. */
  readonly run?: (run: SuiteRun) => RunOptions | Promise<RunOptions>
  /** Documents that could not be loaded. */
  readonly broken?: readonly BrokenAttack[]
  /** How many runs go on at the same time; default 4. */
  readonly concurrency?: number
  /** How often each attack is run; default 1. */
  readonly trials?: number
  /** How often a run is made again that is inconclusive for a reason outside the agent; default 0. */
  readonly retries?: number
  readonly budget?: BudgetLimits
  readonly evaluators?: AsyncEvaluators
  /** Opens what judges semantic indicators; it counts against the budget and ends with the suite. */
  readonly judge?: (suite: Pick<SuiteRun, 'spend'> & { readonly signal: AbortSignal }) => Promise<SuiteJudge>
  /** Where traces and the journal are kept, closed with the suite; what is there is not run again. Without one nothing is written. */
  readonly folder?: SuiteFolder
  /** What is hidden before anything is kept; secrets of known shapes, if nothing is said. */
  readonly redactor?: Redactor
  /** Stops the suite: what runs is judged on what was seen, the rest is not begun. */
  readonly signal?: AbortSignal
  /** Why the target is not controlled first, for the results; without it, one that gets tools has to show that it can use one. */
  readonly skipControl?: string
  /** Hears when a control begins, and what came of it. */
  readonly onControl?: (control: ResultControl | 'started') => void
  readonly onEvent?: (run: Pick<SuiteRun, 'file' | 'trial'>, event: RunEvent | { readonly kind: 'run-started' }) => void
}

/** What judges semantic indicators (§11.4.8). */
export interface SuiteJudge {
  readonly evaluator: AsyncSemanticEvaluator
  readonly about: NonNullable<ResultTarget['judge']>
  /** How far it agrees with the examples of the documents. */
  readonly agreements: Agreements
  close(): void
}

/** How many of an indicator's examples the judge took for what they are, by file. */
export type Agreements = ReadonlyMap<
  string,
  readonly { readonly indicator: string; readonly right: number; readonly of: number }[]
>
