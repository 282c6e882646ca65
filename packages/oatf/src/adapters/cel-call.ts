import type { CelResult, CelValue } from '@bufbuild/cel'
import type { RegexCache } from './metered-regex.ts'
import type { StepMeter } from './step-meter.ts'

/** What the functions of one evaluator share. `meter` belongs to the evaluation that is running. */
export interface CelRun {
  meter: StepMeter
  readonly regexes: RegexCache
}

/** The result of a function: undefined when it has no overload for its operands. */
export type CelReturn = CelResult | undefined

/** One call of a function. */
export interface CelCall {
  readonly target: CelValue | undefined
  readonly args: readonly CelValue[]
  readonly run: CelRun
  /** The library's own function on the same operands. */
  readonly standard: () => CelReturn
  /** The library's own equality, for what only it knows: timestamps and durations. */
  readonly same: (left: CelValue, right: CelValue) => boolean
}

/** A function of ours. What it throws ends the evaluation; an error that CEL may absorb is returned. */
export type CelFunction = (call: CelCall) => CelReturn
