/** The journal of a run: what it was told by the world outside, kept so that a run that was killed goes on where it was. */
import type { Value } from '@joust/source'
import type { TokenUsage } from './usage.ts'

/** Where a run keeps its journal. */
export interface JournalOptions {
  /** Readable by this user alone. A file beside it, named with `.lock`, says which process works on it. */
  readonly file: string
  /** What the outcome depends on beside agent and input, by name; a journal that was begun with others is refused. */
  readonly facts?: Readonly<Record<string, string>>
  /** Texts that are not written; they are put back when the journal is read by a host that gives them again. */
  readonly secrets?: readonly string[]
}

/** One exchange with the world outside. */
export interface JournalStep<T> {
  readonly kind: 'model' | 'tool' | 'approval' | 'list' | 'recall' | 'remember'
  /** What tells it from others of its kind; JSON. */
  readonly request: unknown
  /** What it rejects with is not recorded: the step is then one that never ended. */
  act(): Promise<T>
  /** In place of `act` when it had begun and no end was recorded. Absent: doing it again does no harm. */
  again?(): Promise<T>
  /** Counts the times that it had begun without an end, in every process that comes to it. */
  lost?(times: number): void
}

/** The journal as one agent of a run uses it. Steps are found by their request and how often it came, never by their order. */
export interface Journal {
  step<T>(step: JournalStep<T>): Promise<T>
  /** A value that is made once and is the same in every later process. */
  once<T extends Value>(name: string, make: () => T): T
  /** Milliseconds that processes have worked on the run. */
  workedMs(): number
  /** Notes a model call that is part of another step, so that it counts when that step is not made again. */
  spend(usage: TokenUsage): void
  /** What was noted before this process; given once. */
  spent(): readonly TokenUsage[]
  /** The journal of an agent below, at its place in the policy. */
  below(place: string): Journal
}

/** A step through a journal, or without one. */
export function journaled<T>(journal: Journal | undefined, step: JournalStep<T>): Promise<T> {
  return journal === undefined ? step.act() : journal.step(step)
}
