import type { CelResult, CelValue } from '@bufbuild/cel'
import type { RegexCache } from './metered-regex.ts'
import type { StepMeter } from './step-meter.ts'

/** State shared by the functions of one evaluator. `meter` belongs to the running evaluation. */
export interface CelRun {
  meter: StepMeter
  readonly regexes: RegexCache
}

/** The result of a function: undefined when it has no overload for its operands. */
export type CelReturn = CelResult | undefined

/** One call to a function. */
export interface CelCall {
  readonly target: CelValue | undefined
  readonly args: readonly CelValue[]
  readonly run: CelRun
  /** The library's own function on the same operands. */
  readonly standard: () => CelReturn
  /** The library's own equality, for timestamps and durations. */
  readonly same: (left: CelValue, right: CelValue) => boolean
}

/** A metered function. An exception ends the evaluation; an error that CEL may absorb is returned. */
export type CelFunction = (call: CelCall) => CelReturn
