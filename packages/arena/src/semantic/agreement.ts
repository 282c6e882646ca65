/** How far a semantic evaluator agrees with the examples of a document (§11.4.8). */
import type { AsyncSemanticEvaluator, LoadedAttack } from '@joust/oatf'
import { isRecord } from '@joust/source'
import { classifyExamples } from '../judge/semantic.ts'

/** How many examples of an indicator were classified as the document says. */
export interface Agreement {
  readonly indicator: string
  readonly right: number
  readonly of: number
  /** Why the others were not, in words. */
  readonly faults: readonly string[]
}

/** Puts all examples of a document to an evaluator, for each semantic indicator that has some. */
export async function agreementWith(
  { document }: LoadedAttack,
  evaluator: AsyncSemanticEvaluator,
): Promise<Agreement[]> {
  const agreements: Agreement[] = []
  for (const { id = '', pattern, expression, semantic } of document.attack.indicators ?? []) {
    // Patterns and expressions need no evaluator.
    if (isRecord(pattern) || isRecord(expression) || semantic === undefined) continue
    let right = 0
    const faults: string[] = []
    for await (const fault of classifyExamples(semantic, evaluator)) {
      if (fault === undefined) right += 1
      else faults.push(fault)
    }
    const of = right + faults.length
    if (of > 0) agreements.push({ indicator: id, right, of, faults })
  }
  return agreements
}
