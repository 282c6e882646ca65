/** Who looks for a better bait, and what it is told. */
import type { BaitWording, MutationRow } from '@joust/oatf'
import type { Result } from '@joust/source'
import type { CallUsage } from '../suite/budget.ts'

/** What has been tried, and what came of it. */
export interface Attempt {
  /** How the bait came about: mutations, or `attacker` for words of the attacker's own. */
  readonly by: readonly string[]
  /** The bait as it was. */
  readonly bait: readonly string[]
  /** The outcome of the runs, or why there was none. */
  readonly outcome: string
  /** What the agent did, a line for each message. */
  readonly did: readonly string[]
}

/** What an attacker gets to see. */
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
  /** To be told of each call. */
  readonly onCall: (usage: CallUsage) => void
}
