/** What a suite consists of, and its options. */
import type { AsyncEvaluators, AsyncSemanticEvaluator, LoadedAttack } from '@joust/oatf'
import type { Diagnostic } from '@joust/source'
import type { AttackOptions, CallUsage, RunEvent } from '../model/options.ts'
import type { Redacted } from '../model/redacted.ts'
import type { ResultControl, ResultTarget, Trial } from '../results/model.ts'
import type { Redactor } from '../results/redactor.ts'
import type { BudgetLimits } from './budget.ts'
import type { SuiteFolder } from './folder.ts'

/** An attack of a suite; `file` is the name of its results. */
export interface SuiteAttack {
  readonly file: string
  readonly attack: LoadedAttack
}

/** What should have been an attack but cannot be run: the results say so. */
export interface BrokenAttack {
  readonly file: string
  readonly faults: readonly Diagnostic[]
}

/** A sentence about the first name that two documents share: results are kept by name. Undefined where all differ. */
export function repeatedName(documents: Iterable<Pick<SuiteAttack, 'file'>>): string | undefined {
  const names = new Set<string>()
  for (const { file } of documents) {
    if (names.has(file)) return `two attacks have the name ${file}, and results are kept by name: give each its own`
    names.add(file)
  }
  return undefined
}

/** One run of a suite, before it begins. */
export interface SuiteRun extends SuiteAttack {
  /** Counts from 1. */
  readonly trial: number
  /** To be called for every call of a model, so that it counts against the budget. */
  readonly spend: (usage: CallUsage) => void
  /** Set where it is not an attack but the control before all attacks. */
  readonly isControl?: true
}

/** One run of a suite, when it is over. */
export interface SuiteTrial {
  readonly file: string
  readonly trial: Redacted<Trial>
  /** Set where it was not run now but taken from earlier results. */
  readonly resumed?: true
}

/** How a suite is run. */
export interface SuiteOptions {
  /** Who is attacked, for the results. */
  readonly about?: ResultTarget
  /** The options of one run; called for each, since a target belongs to one run. */
  readonly run?: (run: SuiteRun) => AttackOptions | Promise<AttackOptions>
  /** Documents that could not be loaded. */
  readonly broken?: readonly BrokenAttack[]
  /** How many runs there are at the same time; default 4. */
  readonly concurrency?: number
  /** How often each attack is run; default 1. */
  readonly trials?: number
  /** How often a run is repeated when it is inconclusive for a reason outside the agent; default 0. */
  readonly retries?: number
  readonly budget?: BudgetLimits
  readonly evaluators?: AsyncEvaluators
  /** Opens what judges semantic indicators; it counts against the budget and ends with the suite. */
  readonly judge?: (suite: Pick<SuiteRun, 'spend'> & { readonly signal: AbortSignal }) => Promise<SuiteJudge>
  /**
   * Where traces and finished trials are kept, closed with the suite; what is already there is not run again. Without
   * one, nothing is written.
   */
  readonly folder?: SuiteFolder
  /** Hides secrets before anything is kept; by default, secrets of known shapes. */
  readonly redactor?: Redactor
  /** Stops the suite: runs under way are judged on what was seen, the rest is not begun. */
  readonly signal?: AbortSignal
  /**
   * Why the target is not controlled first, for the results; without this, a target that gets tools has to show that it
   * can use one.
   */
  readonly skipControl?: string
  /** Called when a control begins, and with its outcome. */
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

/** How many of an indicator's examples the judge classified correctly, by file. */
export type Agreements = ReadonlyMap<
  string,
  readonly { readonly indicator: string; readonly right: number; readonly of: number }[]
>
