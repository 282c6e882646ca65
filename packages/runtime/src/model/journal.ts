/** Run journals: recorded results of external calls, so that a killed run can resume. */
import type { Value } from '@joust/source'
import type { TokenUsage } from './events.ts'

/**
 * Options for a run journal.
 *
 * @example
 * const runtime = createRuntime()
 * const result = await runtime.run(loadedAgent.agent, 'Go on.', { journal: { file: 'run.jsonl', secrets: [password] } })
 */
export interface JournalOptions {
  /** The journal file, readable only by its owner. A lock file (`.lock`) identifies the process that uses it. */
  readonly file: string
  /**
   * Further values that affect the outcome, by name. A journal with other values is rejected.
   * @default {}
   */
  readonly facts?: Readonly<Record<string, string>>
  /** Strings that are removed from the journal; the host must supply them again to resume the run. @default [] */
  readonly secrets?: readonly string[]
}

/** An external call to record. */
export interface JournalStep<T> {
  readonly kind: 'model' | 'tool' | 'approval' | 'list' | 'recall' | 'remember'
  /** JSON that distinguishes the step from others of its kind. */
  readonly request: unknown
  /** Performs the step. Rejections are not recorded: the step then counts as unfinished. */
  act(): Promise<T>
  /** Replaces `act` if an earlier process started the step without finishing it. @default `act` is repeated */
  again?(): Promise<T>
  /** Called with the number of times that earlier processes started the step without finishing it. */
  lost?(times: number): void
}

/** The journal of one agent in a run. Steps are identified by request and occurrence, not by order. */
export interface Journal {
  step<T>(step: JournalStep<T>): Promise<T>
  /** Creates a value on the first call, and returns the same value in all later processes. */
  once<T extends Value>(name: string, make: () => T): T
  /** Returns the time spent on the run by all processes, in milliseconds. */
  workedMs(): number
  /** Records the usage of a model call within another step, so that it counts when the step is replayed. */
  spend(usage: TokenUsage): void
  /** Returns the usage recorded by earlier processes on the first call; empty on later calls. */
  spent(): readonly TokenUsage[]
  /** Returns the journal of a sub-agent; `place` is its position in the policy. */
  below(place: string): Journal
}

export function journaled<T>(journal: Journal | undefined, step: JournalStep<T>): Promise<T> {
  return journal === undefined ? step.act() : journal.step(step)
}
