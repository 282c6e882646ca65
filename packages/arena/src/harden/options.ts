/** How an agent is hardened, and what came of it. */
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
  /** Told apart by it: `before`, `try-12`, `after-2`. */
  readonly name: string
  /** The runs before it, and those by which a set is believed: their traces lie in a folder of this name. */
  readonly kept: boolean
  readonly agent: Agent
  readonly attacks: readonly SuiteAttack[]
  /** How often each is run, where that matters. */
  readonly trials?: number
  readonly onEvent: NonNullable<SuiteOptions['onEvent']>
  /** To be told what happens inside the agent. */
  readonly onAgentEvent: (run: Pick<SuiteRun, 'file' | 'trial'>, event: AgentEvent) => void
}

/** How it goes. */
export interface HardenOptions {
  readonly agent: Agent
  /** Runs attacks as every suite is run, within the budget that is left. A result that says that it was stopped ends the search. */
  readonly run: RunWithin<HardenBatch>
  /** What the models of the agent may take in all runs together. */
  readonly budget?: BudgetLimits
  /** What is hidden in what is said of the agent file; secrets of known shapes, if nothing is said. */
  readonly redactor?: Redactor
  /** Which actor plays an alias of the agent that has another name, by alias. */
  readonly bind?: Readonly<Record<string, string>>
  /** The kinds of restraints that may be used; all of them, if nothing is said. */
  readonly kinds?: readonly string[]
  /** References to governance policies that the host can resolve. */
  readonly policies?: readonly string[]
  /** How often a set has to do before it is believed. */
  readonly confirm: number
  readonly signal: AbortSignal
  /** Hears what was tried. */
  readonly onTried?: (tried: TriedSet) => void
}

/** A search that goes on: its runs are counted. */
export interface MeteredHardening extends Omit<HardenOptions, 'run'> {
  readonly run: (batch: HardenBatch) => Promise<Redacted<Results>>
  readonly halted: () => string | undefined
}

/** A set of restraints that was run. */
export interface TriedSet {
  readonly restraints: readonly Restraint[]
  readonly attacks: readonly SuiteAttack[]
  readonly effects: readonly Effect[]
}

/** What came of it. */
export interface Hardened {
  /** The attacks on the agent as it was, with what would have stopped them; their traces lie below `before`. */
  readonly results: Redacted<Results>
  /** The same on the agent as it should be, and the folder of it; absent where nothing is to be changed. */
  readonly after?: ResultsPart
  readonly hardening: ResultHardening
  readonly files: readonly EditedFile[]
}
