/** The extension points of SDK §6. */
import type { Limits, Result, Value } from '@joust/source'
import type { SemanticExamples } from './document.ts'
import type { Protocol, SemanticIntentClass } from './enumerations.ts'
import type { EvaluationError, GenerationError } from './errors.ts'
import type { Match } from './verdict.ts'

/** Named variables of a CEL expression. */
export type CelContext = { readonly [name: string]: Value }

/** A CEL expression made ready to run many times. */
export type CelProgram = (context: CelContext) => Result<Value, EvaluationError>

/** §6.1. `compile` is optional: without it an expression is read anew for each message. */
export interface CelEvaluator {
  evaluate(expression: string, context: CelContext): Result<Value, EvaluationError>
  compile?(expression: string): Result<CelProgram, EvaluationError>
}

/** §6.2: a score between 0 and 1. None ships with the SDK. */
export interface SemanticEvaluator {
  evaluate(
    text: string,
    intent: string,
    intentClass?: SemanticIntentClass,
    threshold?: number,
    examples?: SemanticExamples,
  ): Result<number, EvaluationError>
}

/** The same, for evaluators that do I/O. */
export interface AsyncSemanticEvaluator {
  evaluate(
    ...parameters: Parameters<SemanticEvaluator['evaluate']>
  ): Result<number, EvaluationError> | Promise<Result<number, EvaluationError>>
}

/** §6.3. None ships with the SDK. */
export interface GenerationProvider {
  generate(prompt: string, protocol: Protocol, responseContext: Value): Result<Value, GenerationError>
}

/** The first match of a pattern in a message; undefined when there is none. */
export type PatternProgram = (message: Value) => Result<Match | undefined, EvaluationError>

/** What an evaluation may use. Without `cel`, expressions are skipped; without `semantic`, semantic indicators are. */
export interface Evaluators {
  readonly cel?: CelEvaluator
  readonly semantic?: SemanticEvaluator
  readonly limits?: Partial<Limits>
  /** Patterns that were compiled before, by their indicator; `LoadedAttack` keeps those of its document. */
  readonly patterns?: ReadonlyMap<object, PatternProgram>
  /** The clock behind `timestamp`; the system's by default. */
  readonly now?: () => number
}

/** The same, with a semantic evaluator that may do I/O. */
export interface AsyncEvaluators extends Omit<Evaluators, 'semantic'> {
  readonly semantic?: AsyncSemanticEvaluator
}

/** What a primitive may be given besides its arguments. */
export interface PrimitiveOptions {
  readonly limits?: Partial<Limits>
  /** Told when a limit or an invalid expression kept the primitive from a real answer. */
  readonly onError?: (error: EvaluationError) => void
}

/** A step into a message, in a target or in what a CEL expression reads: a field, or each element of a collection. */
export type CelStep = { readonly field: string } | 'each'

/** Something that a CEL expression reads. */
export interface CelRead {
  /** The variable it starts from. */
  readonly root: string
  readonly steps: readonly CelStep[]
  /** Whether the expression only asks, by `has()`, if it is there. */
  readonly tested: boolean
}

/** Says what an expression reads; undefined for a text that is not an expression. */
export type CelReader = (expression: string, limits: Limits) => readonly CelRead[] | undefined

/** Names the functions that an expression calls and the evaluator does not have. */
export type CelFunctionCheck = (expression: string, limits: Limits) => readonly string[]
