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
  /**
   * The path of the journal, which only this user can read. A lock file beside it (`.lock`) names the process that uses
   * it.
   */
  readonly file: string
  /**
   * Named values besides agent and input that affect the outcome; a journal with other values is rejected.
   * @default {}
   */
  readonly facts?: Readonly<Record<string, string>>
  /**
   * Strings that are removed from the journal; the host must supply them again to resume the run. @default []
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
  /** Replaces `act` if an earlier process started the step and recorded no end. If absent, `act` is repeated. */
  again?(): Promise<T>
  /** Called with the number of times that earlier processes started the step without finishing it. */
  lost?(times: number): void
}

/** The journal of one agent in a run. Steps are identified by their request and its occurrence, not by order. */
export interface Journal {
  step<T>(step: JournalStep<T>): Promise<T>
  /** Creates a value on the first call and returns the same value in every later process. */
  once<T extends Value>(name: string, make: () => T): T
  /** Time spent on the run by all processes, in milliseconds. */
  workedMs(): number
  /** Records the usage of a model call inside another step, so that it counts when that step is replayed. */
  spend(usage: TokenUsage): void
  /** Returns the usage recorded by earlier processes; empty after the first call. */
  spent(): readonly TokenUsage[]
  /** Returns the journal of a sub-agent at a place in the policy. */
  below(place: string): Journal
}

/** Performs a step, with or without a journal. */
export function journaled<T>(journal: Journal | undefined, step: JournalStep<T>): Promise<T> {
  return journal === undefined ? step.act() : journal.step(step)
}
