import type { CallUsage } from '@joust/arena'
import type { BaitWording, LoadedAttack, MutationRow, Tier } from '@joust/oatf'
import type { AttackResults, Redacted, Redactor, Results } from '@joust/results'
import type { Result } from '@joust/source'
import type { BudgetLimits, RunWithin, SuiteAttack, SuiteOptions } from '@joust/trials'

/** Attacks that are run together. */
export interface SearchBatch {
  /** A unique name, such as `round-3`, `confirm`, `minimize-12` or `minimize-12-again`. */
  readonly name: string
  /** The round of the candidates, or 0 for the original attack. Undefined for confirmation and minimization. */
  readonly round?: number
  readonly attacks: readonly SuiteAttack[]
  /** The number of trials per attack, for confirmation. */
  readonly trials?: number
  readonly onEvent: NonNullable<SuiteOptions['onEvent']>
}

/** An attack to run, and the mutations that created it. */
export interface Candidate {
  readonly file: string
  readonly attack: LoadedAttack
  readonly by: readonly string[]
  /** The round that created the candidate, or 0 for the original attack. */
  readonly round: number
}

/** A candidate and its results. */
export interface Tried extends Candidate {
  readonly results: AttackResults
  readonly did: readonly string[]
}

/** Options for {@link searchBait}. */
export interface SearchOptions {
  readonly attacker: Attacker
  readonly rounds: number
  /** The number of candidates per round, which are run concurrently. */
  readonly branches: number
  /** The lowest tier that counts as success. @default any tier */
  readonly until?: Tier | undefined
  /** The number of runs in which a bait must work, also after shortening. */
  readonly confirm: number
  /** The maximum number of shortened baits to try. */
  readonly shorten: number
  /**
   * Runs attacks as a suite within the remaining budget. A result with `stopped` ends the search. Traces are in a
   * folder with the name of the batch, relative to the results.
   */
  readonly run: RunWithin<SearchBatch>
  /** Budget for model calls of the agent and the attacker. @default unlimited */
  readonly budget?: BudgetLimits
  readonly redactor: Pick<Redactor, 'text'>
  readonly signal: AbortSignal
  /** Called with each candidate after its run. @default none */
  readonly onTried?: (tried: Tried) => void
  /** Called for each proposal that cannot be run. @default none */
  readonly onRefused?: (reason: string) => void
}

/** Search options with metered runs and attacker calls. */
export interface MeteredSearch extends Omit<SearchOptions, 'run'>, AttackerCall {
  readonly run: (batch: SearchBatch) => Promise<Redacted<Results>>
  readonly halted: () => string | undefined
}

/** A bait and its outcome, as shown to the attacker. */
export interface Attempt {
  /** The mutations of the bait, or `attacker` if the attacker wrote the bait. */
  readonly by: readonly string[]
  /** Bait texts. */
  readonly bait: readonly string[]
  /** The outcome of the runs, or the reason why the bait was not run. */
  readonly outcome: string
  /** The agent's messages, one line each. */
  readonly did: readonly string[]
}

/** A question to the attacker. */
export interface AttackerQuestion {
  /** Name and description of the document. */
  readonly attack: { readonly name: string; readonly description?: string }
  /** The success criteria. */
  readonly goals: readonly string[]
  /** The original bait, with the mutations in `base` applied. */
  readonly bait: BaitWording
  readonly base: readonly string[]
  /** The available mutations. */
  readonly moves: readonly MutationRow[]
  readonly tried: readonly Attempt[]
  /** The number of requested proposals. */
  readonly count: number
}

/** A new bait: mutation names, or texts by path. */
export type Proposal = { readonly by: readonly string[] } | { readonly texts: Readonly<Record<string, string>> }

/**
 * A source of new baits.
 *
 * @example
 * // Tries one mutation after another.
 * const attacker: import('@joust/adaptive').Attacker = {
 *   model: 'none',
 *   async propose({ moves, tried, count }) {
 *     const next = moves.slice(tried.length, tried.length + count)
 *     return { ok: true, value: next.map(({ name }) => ({ by: [name] })) }
 *   },
 * }
 */
export interface Attacker {
  /** The model as `provider/model`. */
  readonly model: string
  /** Returns proposals, or an error message. Never rejects. */
  propose(question: AttackerQuestion, options: AttackerCall): Promise<Result<readonly Proposal[], string>>
}

/** Options for a call to the attacker. */
export interface AttackerCall {
  readonly signal: AbortSignal
  /** Called with the usage of each model call. */
  readonly onCall: (usage: CallUsage) => void
}
