/** Indicators that stay silent whatever an agent does: that they found nothing does not mean that it resisted. */
import { defaultLimits, ownText } from '@joust/source'
import { createCelEvaluator } from './adapters/cel.ts'
import { unknownCelFunctions } from './adapters/cel-functions.ts'
import { celReads } from './adapters/cel-reads.ts'
import { findBinding } from './bindings/table.ts'
import type { LintContext, Subject } from './lint/context.ts'
import { lintContext } from './lint/run.ts'
import { isDead } from './lint/targets.ts'
import type { NormalDocument } from './model/document.ts'

/** The positions of the indicators that no message can match. */
export function deadIndicators(document: NormalDocument): readonly number[] {
  return silentIn(document).dead
}

/** The positions of the indicators on a surface that their binding does not know: a newer one, or misspelled. */
export function strangeIndicators(document: NormalDocument): readonly number[] {
  return silentIn(document).strange
}

interface Silent {
  readonly dead: readonly number[]
  readonly strange: readonly number[]
}

/** Cached: every run of an attack asks, and a document in normal form does not change. */
const known = new WeakMap<NormalDocument, Silent>()

function silentIn(document: NormalDocument): Silent {
  const before = known.get(document)
  if (before !== undefined) return before
  const expressions = document.attack.indicators?.some(({ expression }) => expression !== undefined)
  const cel = expressions
    ? { reads: celReads, unknownFunctions: unknownCelFunctions, evaluator: createCelEvaluator() }
    : undefined
  const context = lintContext(document, cel, defaultLimits)
  const silent = { dead: positionsOf(context, isDead), strange: positionsOf(context, isStrange) }
  known.set(document, silent)
  return silent
}

function isStrange({ protocol, value }: Subject): boolean {
  const surfaces = protocol === undefined ? undefined : findBinding(protocol)?.surfaces
  const surface = ownText(value, 'surface')
  return surfaces !== undefined && surface !== undefined && !surfaces.includes(surface)
}

function positionsOf(
  context: LintContext | undefined,
  holds: (subject: Subject, context: LintContext) => boolean,
): number[] {
  if (context === undefined) return []
  return context.subjects.flatMap((subject) => (holds(subject, context) ? [Number(subject.path.at(-1))] : []))
}
