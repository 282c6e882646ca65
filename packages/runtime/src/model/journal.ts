/** The journal of a run: what the outside world told it, kept so that a killed run continues where it was. */
import type { Value } from '@joust/source'
import type { TokenUsage } from './events.ts'

/** Where a run keeps its journal. */
export interface JournalOptions {
  /** Readable by this user alone. A file beside it, named with `.lock`, says which process works on it. */
  readonly file: string
  /** What the outcome depends on besides agent and input, by name; a journal that was begun with others is refused. */
  readonly facts?: Readonly<Record<string, string>>
  /** Texts that are not written; they are put back when the journal is read by a host that supplies them again. */
  readonly secrets?: readonly string[]
}

/** One exchange with the world outside. */
export interface JournalStep<T> {
  readonly kind: 'model' | 'tool' | 'approval' | 'list' | 'recall' | 'remember'
  /** What distinguishes it from others of its kind; JSON. */
  readonly request: unknown
  /** A rejection is not recorded: the step then counts as one that never ended. */
  act(): Promise<T>
  /** Used instead of `act` when the step had begun and no end was recorded. Absent: repeating it does no harm. */
  again?(): Promise<T>
  /** Called with how often it had begun without an end, in all processes that came to it. */
  lost?(times: number): void
}

/** The journal as one agent of a run uses it. Steps are found by their request and how often it came, not by order. */
export interface Journal {
  step<T>(step: JournalStep<T>): Promise<T>
  /** A value that is made once and stays the same in every later process. */
  once<T extends Value>(name: string, make: () => T): T
  /** Milliseconds that processes have worked on the run. */
  workedMs(): number
  /** Notes a model call that is part of another step, so that it counts when that step is not made again. */
  spend(usage: TokenUsage): void
  /** What was noted before this process; given once. */
  spent(): readonly TokenUsage[]
  /** The journal of a sub-agent, at its place in the policy. */
  below(place: string): Journal
}

/** Takes a step with a journal, or without one. */
export function journaled<T>(journal: Journal | undefined, step: JournalStep<T>): Promise<T> {
  return journal === undefined ? step.act() : journal.step(step)
}
