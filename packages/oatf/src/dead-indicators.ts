/** Indicators that stay silent whatever an agent does: that they found nothing does not mean that it resisted. */
import { defaultLimits } from '@joust/source'
import { createCelEvaluator } from './adapters/cel.ts'
import { celReads } from './adapters/cel-reads.ts'
import { findBinding } from './bindings/table.ts'
import type { LintContext, Subject } from './lint/context.ts'
import { lintContext } from './lint/run.ts'
import { isDead } from './lint/targets.ts'
import type { NormalDocument } from './model/document.ts'
import { textOf } from './rules/walk.ts'

/** The ids of the indicators that no message can match. */
export function deadIndicators(document: NormalDocument): readonly string[] {
  return idsOf(document, isDead)
}

/** The ids of the indicators on a surface that their binding does not know: it may be a newer one, or misspelled. */
export function strangeIndicators(document: NormalDocument): readonly string[] {
  return idsOf(document, ({ protocol, value }) => {
    const known = protocol === undefined ? undefined : findBinding(protocol)?.surfaces
    const surface = textOf(value, 'surface')
    return known !== undefined && surface !== undefined && !known.includes(surface)
  })
}

function idsOf(document: NormalDocument, holds: (subject: Subject, context: LintContext) => boolean): string[] {
  const expressions = document.attack.indicators?.some(({ expression }) => expression !== undefined)
  const cel = expressions ? { reads: celReads, evaluator: createCelEvaluator() } : undefined
  const context = lintContext(document, cel, defaultLimits)
  if (context === undefined) return []
  return context.subjects.flatMap((subject) => {
    const id = textOf(subject.value, 'id')
    return id !== undefined && holds(subject, context) ? [id] : []
  })
}
