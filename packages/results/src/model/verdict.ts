/**
 * Verdicts ([OATF §9.3](https://oatf.io/specification/verdict-model/)) with the deciding message and the number of
 * considered messages.
 */
import type { AttackVerdict, IndicatorVerdict } from '@joust/oatf'
import type { TraceEntry } from './trace-entry.ts'

/** The message that decided a verdict. */
export type DecidingEntry = Pick<TraceEntry, 'seq' | 'actor' | 'phase' | 'surface' | 'flow' | 'derived'>

/** The number of messages left after each filter step (OATF §6). Counting stops once the indicator is decided. */
export interface Considered {
  readonly protocol: number
  readonly surface: number
  readonly actor: number
  readonly direction: number
  /** Messages that were parsed and evaluated. */
  readonly evaluated: number
}

/** An indicator verdict on a whole trace. */
export interface JudgedIndicator extends IndicatorVerdict {
  /** The message that matched, or the first one with an evaluation error. */
  readonly entry?: DecidingEntry
  readonly considered: Considered
}

/** An attack verdict on a whole trace. */
export interface Judgement extends AttackVerdict {
  readonly indicator_verdicts: readonly JudgedIndicator[]
}

/** Filter steps (OATF §6) that can drop a message, and the results of evaluating it. `evaluated`: no match. */
export type FilterStep =
  | 'protocol'
  | 'surface'
  | 'actor'
  | 'direction'
  | 'unreadable'
  | 'evaluated'
  | 'matched'
  | 'error'

/** The result of one indicator for each message of a trace. */
export interface SeenMessages {
  /** Step that each message reached, in order. */
  readonly steps: readonly FilterStep[]
  /** Verdicts on messages that matched or caused an error. */
  readonly verdicts: readonly JudgedIndicator[]
}

/** Returns the fields of a message to which a verdict refers. */
export function decidingEntry({ seq, actor, phase, surface, flow, derived }: TraceEntry): DecidingEntry {
  return { seq, actor, phase, surface, flow, ...(derived ? { derived } : {}) }
}
