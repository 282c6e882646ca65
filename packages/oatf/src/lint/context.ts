import { isRecord, type Limits, own, ownText, type ValueRecord } from '@joust/source'
import type { CelEvaluator, CelFunctionCheck, CelRead, CelReader } from '../model/evaluators.ts'
import { oatfLimits } from '../model/limits.ts'
import type { IndicatorSite, Walk } from '../rules/walk.ts'
import { kindsFor, type MessageKind } from './message-kinds.ts'
import { collectPayloads } from './payloads/collect.ts'
import type { Payload } from './payloads/payload.ts'

/** CEL, passed in so that nothing here loads its library. */
export interface CelTools {
  readonly reads: CelReader
  readonly unknownFunctions: CelFunctionCheck
  readonly evaluator: CelEvaluator
}

/** An indicator with the messages that it looks at. */
export interface Subject extends IndicatorSite {
  readonly kinds: readonly MessageKind[]
  readonly expression: ValueRecord | undefined
  /** What its expression reads; empty without one. */
  readonly reads: readonly CelRead[]
  readonly variables: ReadonlyMap<string, string>
}

/** Everything that lint rules look at. */
export interface LintContext {
  readonly walk: Walk
  readonly subjects: readonly Subject[]
  readonly payloads: readonly Payload[]
  readonly cel: CelTools | undefined
  readonly limits: Limits
}

/** Prepares a document for the rules. */
export function contextOf(walk: Walk, cel: CelTools | undefined, limits: Limits): LintContext {
  return {
    walk,
    subjects: walk.indicators.map((indicator) => subjectOf(indicator, walk, cel, limits)),
    payloads: collectPayloads(walk.actors).slice(0, oatfLimits.lintPayloads),
    cel,
    limits,
  }
}

function subjectOf(indicator: IndicatorSite, walk: Walk, cel: CelTools | undefined, limits: Limits): Subject {
  const block = own(indicator.value, 'expression')
  const expression = isRecord(block) ? block : undefined
  const source = ownText(expression, 'cel')
  const declared = own(expression, 'variables')
  const variables = isRecord(declared) ? Object.entries(declared) : []
  return {
    ...indicator,
    kinds: kindsFor(walk, indicator),
    expression,
    reads: (source === undefined ? undefined : cel?.reads(source, limits)) ?? [],
    variables: new Map(variables.flatMap(([name, path]) => (typeof path === 'string' ? [[name, path]] : []))),
  }
}
