/** Indicators that cannot match any behaviour of the agent, so that their silence does not mean that the agent resisted. */
import { ownText } from '@joust/source'
import { findBinding } from '../bindings/table.ts'
import type { LintContext, Subject } from './context.ts'
import { isDead } from './targets.ts'

/** The positions of the indicators that no message can match. */
export function deadIndicators(context: LintContext | undefined): readonly number[] {
  return positionsOf(context, isDead)
}

/** The positions of the indicators on a surface that their binding does not define: newer, or misspelled. */
export function unknownSurfaceIndicators(context: LintContext | undefined): readonly number[] {
  return positionsOf(context, hasUnknownSurface)
}

function hasUnknownSurface({ protocol, value }: Subject): boolean {
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
