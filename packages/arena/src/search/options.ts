/** How a search is made. */
import type { Tier } from '@joust/oatf'
import type { Redacted } from '../model/redacted.ts'
import type { Results } from '../results/model.ts'
import type { Redactor } from '../results/redactor.ts'
import type { BudgetLimits } from '../suite/budget.ts'
import type { SuiteAttack, SuiteOptions } from '../suite/options.ts'
import type { RunWithin } from '../suite/spending.ts'
import type { Attacker, AttackerCall } from './attacker.ts'
import type { Tried } from './candidate.ts'

/** Attacks that are run together. */
export interface SearchBatch {
  /** Told apart by it: `round-3`, `confirm`, `minimize-12`, `minimize-12-again`. */
  readonly name: string
  /** The round of the candidates; the attack itself is round 0. What is run again or made shorter after that has none. */
  readonly round?: number
  readonly attacks: readonly SuiteAttack[]
  /** How often each is run, where the search wants to be sure. */
  readonly trials?: number
  readonly onEvent: NonNullable<SuiteOptions['onEvent']>
}

/** How a search goes. */
export interface SearchOptions {
  readonly attacker: Attacker
  readonly rounds: number
  /** Candidates of a round, which run at the same time. */
  readonly branches: number
  /** The mildest tier that is a success; without one every success is. */
  readonly until?: Tier | undefined
  /** How often what was found has to work before it is believed, and each shorter one. */
  readonly confirm: number
  /** How many shorter baits are tried. */
  readonly shorten: number
  /**
   * Runs attacks as every suite is run, within the budget that is left. A result that says that it was stopped ends the
   * search. The traces of a round lie in a folder of its name, seen from where the results will lie.
   */
  readonly run: RunWithin<SearchBatch>
  /** What the agent's models and the attacker's may take together. */
  readonly budget?: BudgetLimits
  readonly redactor: Pick<Redactor, 'text'>
  readonly signal: AbortSignal
  readonly onTried?: (tried: Tried) => void
  readonly onRefused?: (reason: string) => void
}

/** A search that goes on: its runs and its calls are counted. */
export interface MeteredSearch extends Omit<SearchOptions, 'run'>, AttackerCall {
  readonly run: (batch: SearchBatch) => Promise<Redacted<Results>>
  readonly exhausted: () => string | undefined
}

/** Why a search must not go on; undefined while it may. */
export function haltOf({ signal, exhausted }: MeteredSearch): string | undefined {
  return signal.aborted ? 'the search was interrupted' : exhausted()
}
