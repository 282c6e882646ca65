import { isRecord, type Limits, own, ownText, type ValueRecord } from '@joust/source'
import type { CelEvaluator, CelLibrary, CelRead } from '../model/evaluators.ts'
import { lintLimits, oatfLimits } from '../model/limits.ts'
import { kindsFor, type MessageKind } from '../traffic/message-kinds.ts'
import { collectPayloads } from '../traffic/payloads/collect.ts'
import type { Payload } from '../traffic/payloads/payload.ts'
import { type IndicatorSite, recordAt, type Walk } from '../walk/walk.ts'

export interface Subject extends IndicatorSite {
  readonly kinds: readonly MessageKind[]
  readonly expression: ValueRecord | undefined
  /** The paths that the indicator's expression reads; empty if there is no expression. */
  readonly reads: readonly CelRead[]
  readonly variables: ReadonlyMap<string, string>
}

export interface LintContext {
  readonly walk: Walk
  readonly subjects: readonly Subject[]
  readonly payloads: readonly Payload[]
  /** The CEL library; undefined if no expression needs it. */
  readonly cel: CelLibrary | undefined
  readonly evaluator: CelEvaluator | undefined
  readonly limits: Limits
}

/** Creates the lint context; undefined if the document has more elements than `lintParts`. */
export function lintContext(walk: Walk, cel: CelLibrary | undefined, limits: Limits): LintContext | undefined {
  const large = [walk.actors, walk.phases, walk.indicators].some((parts) => parts.length > oatfLimits.lintParts)
  if (large || !isBounded(walk.document)) return undefined
  const subjects = walk.indicators.map((indicator) => subjectOf(indicator, walk, cel, limits))
  const payloads = collectPayloads(walk.actors).slice(0, oatfLimits.lintPayloads)
  return { walk, subjects, payloads, cel, evaluator: cel?.createEvaluator({ limits: lintLimits(limits) }), limits }
}

/** True for a value of at most `lintNodes` nodes, which also excludes cycles. */
function isBounded(value: unknown): boolean {
  const pending: unknown[] = [value]
  for (let nodes = 0; pending.length > 0; nodes++) {
    if (nodes > oatfLimits.lintNodes) return false
    const next = pending.pop()
    if (typeof next !== 'object' || next === null) continue
    for (const child of Object.values(next)) pending.push(child)
  }
  return true
}

function subjectOf(indicator: IndicatorSite, walk: Walk, cel: CelLibrary | undefined, limits: Limits): Subject {
  const block = own(indicator.value, 'expression')
  const expression = isRecord(block) ? block : undefined
  const source = ownText(expression, 'cel')
  const reads = (source === undefined ? undefined : cel?.reads(source, limits)) ?? []
  const declared = Object.entries(recordAt(expression, 'variables'))
  const variables = new Map(declared.flatMap(([name, path]) => (typeof path === 'string' ? [[name, path]] : [])))
  return { ...indicator, kinds: kindsFor(walk, indicator), expression, reads, variables }
}
