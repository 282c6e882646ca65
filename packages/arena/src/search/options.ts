/** How a search is run. */
import type { BaitWording, LoadedAttack, MutationRow, Tier } from '@joust/oatf'
import type { Result } from '@joust/source'
import type { CallUsage } from '../model/options.ts'
import type { Redacted } from '../model/redacted.ts'
import type { AttackResults, Results } from '../results/model.ts'
import type { Redactor } from '../results/redactor.ts'
import type { BudgetLimits, RunWithin } from '../suite/budget.ts'
import type { SuiteAttack, SuiteOptions } from '../suite/options.ts'

/** Attacks that are run together. */
export interface SearchBatch {
  /** Distinguishes batches: `round-3`, `confirm`, `minimize-12`, `minimize-12-again`. */
  readonly name: string
  /** The round of the candidates; the attack itself is round 0. Repeated and shortened baits have none. */
  readonly round?: number
  readonly attacks: readonly SuiteAttack[]
  /** How often each is run, where the search wants to be certain. */
  readonly trials?: number
  readonly onEvent: NonNullable<SuiteOptions['onEvent']>
}

/** An attack to be tried, or one that was. */
export interface Candidate {
  readonly file: string
  readonly attack: LoadedAttack
  readonly by: readonly string[]
  /** 0 is the attack as it was given. */
  readonly round: number
}

/** A candidate that was run. */
export interface Tried extends Candidate {
  readonly results: AttackResults
  readonly did: readonly string[]
}

/** Options of a search. */
export interface SearchOptions {
  readonly attacker: Attacker
  readonly rounds: number
  /** Candidates per round, which run at the same time. */
  readonly branches: number
  /** The mildest tier that counts as success; without one, every success counts. */
  readonly until?: Tier | undefined
  /** How often a bait has to work before it is believed, and each shorter one. */
  readonly confirm: number
  /** How many shorter baits are tried. */
  readonly shorten: number
  /**
   * Runs attacks as every suite is run, within the remaining budget. A result that says that it was stopped ends the
   * search. The traces of a round are in a folder of its name, relative to where the results will be.
   */
  readonly run: RunWithin<SearchBatch>
  /** What the agent's models and the attacker's may use together. */
  readonly budget?: BudgetLimits
  readonly redactor: Pick<Redactor, 'text'>
  readonly signal: AbortSignal
  readonly onTried?: (tried: Tried) => void
  readonly onRefused?: (reason: string) => void
}

/** A search in progress: its runs and its calls are counted. */
export interface MeteredSearch extends Omit<SearchOptions, 'run'>, AttackerCall {
  readonly run: (batch: SearchBatch) => Promise<Redacted<Results>>
  readonly halted: () => string | undefined
}

/** What was tried, and the outcome. */
export interface Attempt {
  /** How the bait came about: by mutations, or `attacker` for words of the attacker's own. */
  readonly by: readonly string[]
  /** The bait as it was. */
  readonly bait: readonly string[]
  /** The outcome of the runs, or why there was none. */
  readonly outcome: string
  /** What the agent did, a line for each message. */
  readonly did: readonly string[]
}

/** What an attacker is shown. */
export interface AttackerQuestion {
  /** What the attack is about, in the words of its document. */
  readonly attack: { readonly name: string; readonly description?: string }
  /** What counts as success. */
  readonly goals: readonly string[]
  /** The bait to start from, and what made it. */
  readonly bait: BaitWording
  readonly base: readonly string[]
  /** Rewritings that can be asked for by name. */
  readonly moves: readonly MutationRow[]
  readonly tried: readonly Attempt[]
  /** How many proposals are wanted. */
  readonly count: number
}

/** A better bait: a rewriting by name, or texts for the places of the bait. */
export type Proposal = { readonly by: readonly string[] } | { readonly texts: Readonly<Record<string, string>> }

/** Proposes baits. */
export interface Attacker {
  /** `provider/model`. */
  readonly model: string
  /** Proposals, or why there are none. Never rejects. */
  propose(question: AttackerQuestion, options: AttackerCall): Promise<Result<readonly Proposal[], string>>
}

/** How an attacker is asked. */
export interface AttackerCall {
  readonly signal: AbortSignal
  /** Called for each call. */
  readonly onCall: (usage: CallUsage) => void
}
