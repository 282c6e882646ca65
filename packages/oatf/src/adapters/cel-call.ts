import type { CelResult, CelValue } from '@bufbuild/cel'
import type { RegexCache } from './metered-regex.ts'
import type { StepMeter } from './step-meter.ts'

/** State shared by an evaluator's functions. `meter` belongs to the current evaluation. */
export interface CelRun {
  meter: StepMeter
  readonly regexes: RegexCache
}

/** The result of a function; undefined if the function has no overload for the operands. */
export type CelReturn = CelResult | undefined

export interface CelCall {
  readonly target: CelValue | undefined
  readonly args: readonly CelValue[]
  readonly run: CelRun
  readonly standard: () => CelReturn
  /** The library's equality, for timestamps and durations. */
  readonly same: (left: CelValue, right: CelValue) => boolean
}

/** A metered function. An exception ends the evaluation; an error that CEL may absorb is returned. */
export type CelFunction = (call: CelCall) => CelReturn
