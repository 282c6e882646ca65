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
  /** True if the traces are kept in a folder named after the batch, as for the first and the confirming runs. */
  readonly kept: boolean
  readonly agent: Agent
  readonly attacks: readonly SuiteAttack[]
  /** The number of trials per attack. */
  readonly trials?: number
  readonly onEvent: NonNullable<SuiteOptions['onEvent']>
  /** Called with events from the agent. */
  readonly onAgentEvent: (run: Pick<SuiteRun, 'file' | 'trial'>, event: AgentEvent) => void
}

/** Options for {@link hardenAgent}. */
export interface HardenOptions {
  readonly agent: Agent
  /** Runs attacks as a suite within the remaining budget. A result with `stopped` ends the search. */
  readonly run: RunWithin<HardenBatch>
  /** Budget for the agent's model calls in all runs together. @default unlimited */
  readonly budget?: BudgetLimits
  /** Redacts secrets in the results. @default secrets with a known format */
  readonly redactor?: Redactor
  /** Actors by alias, for actors whose name differs from the alias. @default {} */
  readonly bind?: Readonly<Record<string, string>>
  /** Kinds of restraints to use. @default all kinds */
  readonly kinds?: readonly string[]
  /** References to governance policies that the host can resolve. @default [] */
  readonly policies?: readonly string[]
  /** The number of runs that must confirm a set of restraints. */
  readonly confirm: number
  readonly signal: AbortSignal
  /** Called after each set of restraints has been tried. @default none */
  readonly onTried?: (tried: TriedSet) => void
}

/** Hardening options with a metered `run`. */
export interface MeteredHardening extends Omit<HardenOptions, 'run'> {
  readonly run: (batch: HardenBatch) => Promise<Redacted<Results>>
  readonly halted: () => string | undefined
}

/** A set of restraints and its effects. */
export interface TriedSet {
  readonly restraints: readonly Restraint[]
  readonly attacks: readonly SuiteAttack[]
  readonly effects: readonly Effect[]
}

/** The result of hardening an agent. */
export interface Hardened {
  /** Attacks on the original agent, with traces in the folder `before`, and the restraints that stop them. */
  readonly results: Redacted<Results>
  /** Results for the hardened agent and the folder with their traces. Undefined if nothing was changed. */
  readonly after?: ResultsPart
  readonly hardening: ResultHardening
  readonly files: readonly EditedFile[]
}
