/** Options and results of hardening. */
import type { Agent } from '@joust/agentformat'
import type { Redacted, Redactor, ResultHardening, Results, ResultsPart } from '@joust/results'
import type { RunEvent as AgentEvent } from '@joust/runtime'
import type { BudgetLimits, RunWithin, SuiteAttack, SuiteOptions, SuiteRun } from '@joust/trials'
import type { EditedFile } from './edit.ts'
import type { Restraint } from './restraint.ts'
import type { Effect } from './smallest.ts'

/** Attacks that are run together on one version of the agent. */
export interface HardenBatch {
  /** A unique name, such as `before`, `try-12` or `after-2`. */
  readonly name: string
  /** True if the traces are stored in a folder of this name: for the first runs and for confirmation. */
  readonly kept: boolean
  readonly agent: Agent
  readonly attacks: readonly SuiteAttack[]
  /** The number of trials of each attack. */
  readonly trials?: number
  readonly onEvent: NonNullable<SuiteOptions['onEvent']>
  /** Called with the agent's events. */
  readonly onAgentEvent: (run: Pick<SuiteRun, 'file' | 'trial'>, event: AgentEvent) => void
}

/** Options of {@link hardenAgent}. */
export interface HardenOptions {
  readonly agent: Agent
  /** Runs attacks as a suite, within the remaining budget. A stopped result ends the search. */
  readonly run: RunWithin<HardenBatch>
  /** The budget for model calls of the agent in all runs together. @default unlimited */
  readonly budget?: BudgetLimits
  /** Redacts secrets in the results. @default secrets of known shapes */
  readonly redactor?: Redactor
  /** Actors by alias, for names that differ. @default {} */
  readonly bind?: Readonly<Record<string, string>>
  /** The kinds of restraints to use. @default all kinds */
  readonly kinds?: readonly string[]
  /** References to governance policies that the host can resolve. @default [] */
  readonly policies?: readonly string[]
  /** The number of runs in which a set must work. */
  readonly confirm: number
  readonly signal: AbortSignal
  /** Called with each set that was tried. @default none */
  readonly onTried?: (tried: TriedSet) => void
}

/** Options of a search whose runs are counted. */
export interface MeteredHardening extends Omit<HardenOptions, 'run'> {
  readonly run: (batch: HardenBatch) => Promise<Redacted<Results>>
  readonly halted: () => string | undefined
}

/** A tried set of restraints. */
export interface TriedSet {
  readonly restraints: readonly Restraint[]
  readonly attacks: readonly SuiteAttack[]
  readonly effects: readonly Effect[]
}

/** The outcome of a search. */
export interface Hardened {
  /** The attacks on the original agent, with the restraints that stop them; their traces are below `before`. */
  readonly results: Redacted<Results>
  /** The attacks on the hardened agent, with their folder; undefined if nothing was changed. */
  readonly after?: ResultsPart
  readonly hardening: ResultHardening
  readonly files: readonly EditedFile[]
}
