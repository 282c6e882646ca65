/** The extension points of [OATF SDK §6](https://oatf.io/sdk/extension-points/). */
import type { Limits, Result, Value } from '@joust/source'
import type { SemanticExamples } from './document.ts'
import type { Protocol, SemanticIntentClass } from './enumerations.ts'
import type { EvaluationError, GenerationError } from './errors.ts'
import type { Match } from './verdict.ts'

/** Named variables of a CEL expression. */
export type CelContext = { readonly [name: string]: Value }

/** A compiled CEL expression. */
export type CelProgram = (context: CelContext) => Result<Value, EvaluationError>

/**
 * OATF SDK §6.1. Without the optional `compile`, an expression is parsed again for each message.
 *
 * @example
 * // Counts the expressions that an evaluator is asked for.
 * const cel = createCelEvaluator()
 * let asked = 0
 * const counting = {
 *   evaluate(expression: string, context: Parameters<typeof cel.evaluate>[1]) {
 *     asked += 1
 *     return cel.evaluate(expression, context)
 *   },
 * }
 * await evaluateAttack(attack, messages, { cel: counting })
 */
export interface CelEvaluator {
  evaluate(expression: string, context: CelContext): Result<Value, EvaluationError>
  compile?(expression: string): Result<CelProgram, EvaluationError>
}

/**
 * OATF SDK §6.2: a score between 0 and 1. None ships with the SDK.
 *
 * @example
 * const indicator = { target: 'note', semantic: { intent: 'reveals the system prompt' } }
 * const { result } = evaluateIndicator(indicator, { note: 'My system prompt is …' }, {
 *   semantic: { evaluate: (said) => ({ ok: true, value: said.includes('system prompt') ? 1 : 0 }) },
 * })
 */
export interface SemanticEvaluator {
  evaluate(
    text: string,
    intent: string,
    intentClass?: SemanticIntentClass,
    threshold?: number,
    examples?: SemanticExamples,
  ): Result<number, EvaluationError>
}

/**
 * A `SemanticEvaluator` that does I/O.
 *
 * @example
 * const semantic = {
 *   async evaluate(said: string, intent: string) {
 *     const answer = await ask(`From 0 to 1, does this text show the intent "${intent}"? ${said}`, {})
 *     return { ok: true, value: Number(answer) } as const
 *   },
 * }
 * const { result } = await evaluateAttack(attack, messages, { semantic })
 */
export interface AsyncSemanticEvaluator {
  evaluate(
    ...parameters: Parameters<SemanticEvaluator['evaluate']>
  ): Result<number, EvaluationError> | Promise<Result<number, EvaluationError>>
}

/**
 * OATF SDK §6.3. None ships with the SDK.
 *
 * @example
 * const written = synthesize(attack, { generate: (prompt) => ({ ok: true, value: `An answer to ${prompt}` }) })
 */
export interface GenerationProvider {
  generate(prompt: string, protocol: Protocol, responseContext: Value): Result<Value, GenerationError>
}

/** The first match of a pattern in a message; undefined when there is none. */
export type PatternProgram = (message: Value) => Result<Match | undefined, EvaluationError>

/**
 * The evaluators. Without `cel`, expressions are skipped; without `semantic`, semantic indicators are.
 *
 * @example
 * const { result } = await evaluateAttack(attack, messages, { cel: createCelEvaluator(), limits: { celSteps: 10_000 } })
 */
export interface Evaluators {
  readonly cel?: CelEvaluator
  readonly semantic?: SemanticEvaluator
  /** Limits on the work for hostile input. @default `defaultLimits` */
  readonly limits?: Partial<Limits>
  /** Compiled patterns by indicator; `LoadedAttack` has those of its document. */
  readonly patterns?: ReadonlyMap<object, PatternProgram>
  /** The clock for `timestamp`. @default the system clock */
  readonly now?: () => number
}

/** `Evaluators` with a semantic evaluator that may do I/O. */
export interface AsyncEvaluators extends Omit<Evaluators, 'semantic'> {
  readonly semantic?: AsyncSemanticEvaluator
}

/**
 * Options of a primitive.
 *
 * @example
 * const matches = evaluateCondition({ regex: '^a+$' }, 'aaa', { onError: (error) => show(error) })
 */
export interface PrimitiveOptions {
  /** Limits on the work for hostile input. @default `defaultLimits` */
  readonly limits?: Partial<Limits>
  /** Called when a limit or an invalid expression prevented a result. @default none */
  readonly onError?: (error: EvaluationError) => void
}

/** A step of a path into a message, from a target or a CEL expression: a field, or each element of a collection. */
export type CelStep = { readonly field: string } | 'each'

/** A path that a CEL expression reads. */
export interface CelRead {
  /** The variable that the path starts from. */
  readonly root: string
  readonly steps: readonly CelStep[]
  /** True if the expression only tests it with `has()`. */
  readonly tested: boolean
}

/** Returns the reads of an expression; undefined for an invalid one. */
export type CelReader = (expression: string, limits: Limits) => readonly CelRead[] | undefined

/** Returns the unknown functions that an expression calls. */
export type CelFunctionCheck = (expression: string, limits: Limits) => readonly string[]

/** Returns the syntax error of an expression; undefined if it is valid. */
type SyntaxCheck = (expression: string, limits: Limits) => string | undefined

/** The parts of a CEL library that rules and lint use. */
export interface CelLibrary {
  readonly syntaxError: SyntaxCheck
  readonly reads: CelReader
  readonly unknownFunctions: CelFunctionCheck
  readonly createEvaluator: (options: { readonly limits: Limits }) => CelEvaluator
}

/** Libraries that evaluate expressions. They are injected so that documents without expressions do not load them. */
export interface Libraries {
  readonly cel?: CelLibrary
  readonly jsonPath?: SyntaxCheck
}
