/** The extension points of [OATF SDK §6](https://oatf.io/sdk/extension-points/). */
import type { Limits, Result, Value } from '@joust/source'
import type { SemanticExamples } from './document.ts'
import type { Protocol, SemanticIntentClass } from './enumerations.ts'
import type { EvaluationError, GenerationError } from './errors.ts'
import type { Match } from './verdict.ts'

/** Variables of a CEL expression, by name. */
export type CelContext = { readonly [name: string]: Value }

/** A compiled CEL expression. */
export type CelProgram = (context: CelContext) => Result<Value, EvaluationError>

/**
 * A CEL evaluator (OATF SDK §6.1). If `compile` is missing, an expression is parsed again for each message.
 *
 * @example
 * // Counts evaluated expressions.
 * const cel = createCelEvaluator()
 * let evaluations = 0
 * const counting = {
 *   evaluate(expression: string, context: Parameters<typeof cel.evaluate>[1]) {
 *     evaluations += 1
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
 * An evaluator that scores an intent from 0 to 1 (OATF SDK §6.2). The SDK does not include an implementation.
 *
 * @example
 * const indicator = { target: 'note', semantic: { intent: 'reveals the system prompt' } }
 * const { result } = evaluateIndicator(indicator, { note: 'My system prompt is …' }, {
 *   semantic: { evaluate: (text) => ({ ok: true, value: text.includes('system prompt') ? 1 : 0 }) },
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
 *   async evaluate(text: string, intent: string) {
 *     const answer = await ask(`From 0 to 1, does this text show the intent "${intent}"? ${text}`, {})
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
 * A generator of content for `synthesize` (OATF SDK §6.3). The SDK does not include an implementation.
 *
 * @example
 * const written = synthesize(attack, { generate: (prompt) => ({ ok: true, value: `An answer to ${prompt}` }) })
 */
export interface GenerationProvider {
  generate(prompt: string, protocol: Protocol, responseContext: Value): Result<Value, GenerationError>
}

/** A compiled pattern, which returns its first match in a message, if any. */
export type PatternProgram = (message: Value) => Result<Match | undefined, EvaluationError>

/**
 * The evaluators. If `cel` is missing, expressions are skipped; if `semantic` is missing, semantic indicators are.
 *
 * @example
 * const { result } = await evaluateAttack(attack, messages, { cel: createCelEvaluator(), limits: { celSteps: 10_000 } })
 */
export interface Evaluators {
  readonly cel?: CelEvaluator
  readonly semantic?: SemanticEvaluator
  /** Limits for hostile input. @default `defaultLimits` */
  readonly limits?: Partial<Limits>
  /** Compiled patterns by indicator. `LoadedAttack` contains the patterns of its document. */
  readonly patterns?: ReadonlyMap<object, PatternProgram>
  /** The clock for `timestamp`. @default the system clock */
  readonly now?: () => number
}

/** `Evaluators` with a semantic evaluator that may do I/O. */
export interface AsyncEvaluators extends Omit<Evaluators, 'semantic'> {
  readonly semantic?: AsyncSemanticEvaluator
}

/**
 * Options for a primitive.
 *
 * @example
 * const matches = evaluateCondition({ regex: '^a+$' }, 'aaa', { onError: (error) => show(error) })
 */
export interface PrimitiveOptions {
  /** Limits for hostile input. @default `defaultLimits` */
  readonly limits?: Partial<Limits>
  /** Called if a limit or an invalid expression prevented a result. @default none */
  readonly onError?: (error: EvaluationError) => void
}

/** A step in the path of a target or CEL expression: a field, or each element of a collection. */
export type CelStep = { readonly field: string } | 'each'

export interface CelRead {
  /** The variable at the start of the path. */
  readonly root: string
  readonly steps: readonly CelStep[]
  /** True if the expression only tests the path with `has()`. */
  readonly tested: boolean
}

/** A function that returns the paths that an expression reads; undefined if the expression is invalid. */
export type CelReader = (expression: string, limits: Limits) => readonly CelRead[] | undefined

/** A function that returns the unknown functions that an expression calls. */
export type CelFunctionCheck = (expression: string, limits: Limits) => readonly string[]

type SyntaxCheck = (expression: string, limits: Limits) => string | undefined

export interface CelLibrary {
  readonly syntaxError: SyntaxCheck
  readonly reads: CelReader
  readonly unknownFunctions: CelFunctionCheck
  readonly createEvaluator: (options: { readonly limits: Limits }) => CelEvaluator
}

/** Expression libraries. They are injected, so that a document that has no expressions does not load them. */
export interface Libraries {
  readonly cel?: CelLibrary
  readonly jsonPath?: SyntaxCheck
}
