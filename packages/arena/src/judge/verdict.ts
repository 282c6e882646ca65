/** Verdicts of OATF §9.3 with what a judge knows beyond that: the deciding message, and how many were considered. */
import type { AttackVerdict, IndicatorVerdict } from '@joust/oatf'
import type { TraceEntry } from '../model/trace-entry.ts'

/** The message that decided a verdict. */
export type DecidingEntry = Pick<TraceEntry, 'seq' | 'actor' | 'phase' | 'surface' | 'flow' | 'derived'>

/** Messages left after each step of the filter (OATF §6). A decided indicator stops looking. */
export interface Considered {
  readonly protocol: number
  readonly surface: number
  readonly actor: number
  readonly direction: number
  /** Those that could be read and were evaluated. */
  readonly evaluated: number
}

/** The verdict of an indicator over a whole trace. */
export interface JudgedIndicator extends IndicatorVerdict {
  /** The message that matched, or the first that could not be evaluated. */
  readonly entry?: DecidingEntry
  readonly considered: Considered
}

/** The verdict of an attack over a whole trace. */
export interface Judgement extends AttackVerdict {
  readonly indicator_verdicts: readonly JudgedIndicator[]
}

/** The part of a message that a verdict keeps. */
export function decidingEntry({ seq, actor, phase, surface, flow, derived }: TraceEntry): DecidingEntry {
  return { seq, actor, phase, surface, flow, ...(derived ? { derived } : {}) }
}
