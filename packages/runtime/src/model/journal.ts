/** The journal of a run: recorded results of external calls, so that a killed run can resume. */
import type { Value } from '@joust/source'
import type { TokenUsage } from './events.ts'

/**
 * Options of the journal of a run.
 *
 * @example
 * const runtime = createRuntime()
 * const result = await runtime.run(loadedAgent.agent, 'Go on.', { journal: { file: 'run.jsonl', secrets: [password] } })
 */
export interface JournalOptions {
  /** Readable by this user only. A lock file beside it (`.lock`) names the process that uses it. */
  readonly file: string
  /**
   * Named values besides agent and input that affect the outcome; a journal with other values is rejected.
   * @default {}
   */
  readonly facts?: Readonly<Record<string, string>>
  /**
   * Strings that are not written; they are restored when the host that reads the journal supplies them again.
   * @default []
   */
  readonly secrets?: readonly string[]
}

/** One external call. */
export interface JournalStep<T> {
  readonly kind: 'model' | 'tool' | 'approval' | 'list' | 'recall' | 'remember'
  /** JSON that identifies the step among others of its kind. */
  readonly request: unknown
  /** Performs the step. A rejection is not recorded: the step then counts as unfinished. */
  act(): Promise<T>
  /** Replaces `act` when an earlier process started the step and recorded no end. Absent: the step can be repeated. */
  again?(): Promise<T>
  /** Called with the number of unfinished starts in all earlier processes. */
  lost?(times: number): void
}

/** The journal of one agent in a run. Steps are identified by their request and its occurrence, not by order. */
export interface Journal {
  step<T>(step: JournalStep<T>): Promise<T>
  /** Creates a value once and returns the same value in every later process. */
  once<T extends Value>(name: string, make: () => T): T
  /** Milliseconds of work on the run, in all processes. */
  workedMs(): number
  /** Records the usage of a model call inside another step, so that it counts when that step is replayed. */
  spend(usage: TokenUsage): void
  /** Returns usage recorded by earlier processes, only on the first call. */
  spent(): readonly TokenUsage[]
  /** Returns the journal of a sub-agent at a place in the policy. */
  below(place: string): Journal
}

/** Performs a step, with or without a journal. */
export function journaled<T>(journal: Journal | undefined, step: JournalStep<T>): Promise<T> {
  return journal === undefined ? step.act() : journal.step(step)
}
