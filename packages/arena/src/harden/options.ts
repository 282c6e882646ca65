/** How an agent is hardened, and the outcome. */
import type { Agent } from '@joust/agentformat'
import type { RunEvent as AgentEvent } from '@joust/runtime'
import type { Redacted } from '../model/redacted.ts'
import type { ResultsPart } from '../results/join.ts'
import type { ResultHardening, Results } from '../results/model.ts'
import type { Redactor } from '../results/redactor.ts'
import type { BudgetLimits, RunWithin } from '../suite/budget.ts'
import type { SuiteAttack, SuiteOptions, SuiteRun } from '../suite/options.ts'
import type { EditedFile } from './edit.ts'
import type { Restraint } from './restraint.ts'
import type { Effect } from './smallest.ts'

/** Attacks that are run together on one version of the agent. */
export interface HardenBatch {
  /** Distinguishes batches: `before`, `try-12`, `after-2`. */
  readonly name: string
  /** Whether the traces are kept, in a folder of this name: for the first runs, and for those that confirm a set. */
  readonly kept: boolean
  readonly agent: Agent
  readonly attacks: readonly SuiteAttack[]
  /** How often each is run, where that matters. */
  readonly trials?: number
  readonly onEvent: NonNullable<SuiteOptions['onEvent']>
  /** Called with what happens inside the agent. */
  readonly onAgentEvent: (run: Pick<SuiteRun, 'file' | 'trial'>, event: AgentEvent) => void
}

/** Options of `hardenAgent`. */
export interface HardenOptions {
  readonly agent: Agent
  /** Runs attacks as every suite is run, within the remaining budget. A result that was stopped ends the search. */
  readonly run: RunWithin<HardenBatch>
  /** What the models of the agent may use in all runs together. */
  readonly budget?: BudgetLimits
  /** Hides secrets in what is said about the agent file; by default, secrets of known shapes. */
  readonly redactor?: Redactor
  /** The actor that plays an alias of the agent under another name, by alias. */
  readonly bind?: Readonly<Record<string, string>>
  /** The kinds of restraints that may be used; all of them by default. */
  readonly kinds?: readonly string[]
  /** References to governance policies that the host can resolve. */
  readonly policies?: readonly string[]
  /** How often a set has to work before it is believed. */
  readonly confirm: number
  readonly signal: AbortSignal
  readonly onTried?: (tried: TriedSet) => void
}

/** A search in progress: its runs are counted. */
export interface MeteredHardening extends Omit<HardenOptions, 'run'> {
  readonly run: (batch: HardenBatch) => Promise<Redacted<Results>>
  readonly halted: () => string | undefined
}

/** A set of restraints that was tried. */
export interface TriedSet {
  readonly restraints: readonly Restraint[]
  readonly attacks: readonly SuiteAttack[]
  readonly effects: readonly Effect[]
}

/** The outcome of a search. */
export interface Hardened {
  /** The attacks on the agent as it was, with what would have stopped them; their traces are below `before`. */
  readonly results: Redacted<Results>
  /** The same on the agent as it should be, with its folder; absent where nothing has to be changed. */
  readonly after?: ResultsPart
  readonly hardening: ResultHardening
  readonly files: readonly EditedFile[]
}
