/**
 * Verdicts of [OATF §9.3](https://oatf.io/specification/verdict-model/), with the deciding message and the number of
 * messages considered.
 */
import type { AttackVerdict, IndicatorVerdict } from '@joust/oatf'
import type { TraceEntry } from './trace-entry.ts'

/** The message that decided a verdict. */
export type DecidingEntry = Pick<TraceEntry, 'seq' | 'actor' | 'phase' | 'surface' | 'flow' | 'derived'>

/** The number of messages after each filter step (OATF §6). Counting stops once an indicator is decided. */
export interface Considered {
  readonly protocol: number
  readonly surface: number
  readonly actor: number
  readonly direction: number
  /** Messages that were parsed and evaluated. */
  readonly evaluated: number
}

/** The verdict of an indicator on a whole trace. */
export interface JudgedIndicator extends IndicatorVerdict {
  /** The message that matched, or the first one with an evaluation error. */
  readonly entry?: DecidingEntry
  readonly considered: Considered
}

/** The verdict of an attack on a whole trace. */
export interface Judgement extends AttackVerdict {
  readonly indicator_verdicts: readonly JudgedIndicator[]
}

/** The filter step (OATF §6) that dropped a message. `evaluated`: evaluated without a match. */
export type FilterStep =
  | 'protocol'
  | 'surface'
  | 'actor'
  | 'direction'
  | 'unreadable'
  | 'evaluated'
  | 'matched'
  | 'error'

/** The messages in a trace from the point of view of one indicator. */
export interface SeenMessages {
  /** The step that each message reached, in order. */
  readonly steps: readonly FilterStep[]
  /** The verdicts of messages that matched or caused an error. */
  readonly verdicts: readonly JudgedIndicator[]
}

/** Returns the part of a message that a verdict refers to. */
export function decidingEntry({ seq, actor, phase, surface, flow, derived }: TraceEntry): DecidingEntry {
  return { seq, actor, phase, surface, flow, ...(derived ? { derived } : {}) }
}
