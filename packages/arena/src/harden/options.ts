/** How an agent is hardened, and what came of it. */
import type { Agent } from '@joust/agentformat'
import type { RunEvent as AgentEvent } from '@joust/runtime'
import type { Redacted } from '../model/redacted.ts'
import type { ResultHardening, Results } from '../results/model.ts'
import type { SuiteAttack, SuiteOptions, SuiteRun } from '../suite/options.ts'
import type { EditedFile } from './edit.ts'
import type { Restraint } from './restraint.ts'
import type { Effect } from './smallest.ts'

/** Attacks that are run together on one version of the agent. */
export interface HardenBatch {
  /** Told apart by it: `before`, `try-12`, `after-2`. */
  readonly name: string
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
  /** Runs attacks as every suite is run. A result that says that it was stopped ends the search. */
  readonly run: (batch: HardenBatch) => Promise<Redacted<Results>>
  /** Which actor plays an alias of the agent that has another name, by alias. */
  readonly bind?: Readonly<Record<string, string>>
  /** The kinds of restraints that may be used; all of them, if nothing is said. */
  readonly kinds?: readonly string[]
  /** References to governance policies that the host can resolve. */
  readonly policies?: readonly string[]
  /** How often a set has to do before it is believed. */
  readonly confirm: number
  readonly signal: AbortSignal
  /** Why nothing more may be spent; undefined while something may. */
  readonly exhausted?: () => string | undefined
  /** Hears what was tried. */
  readonly onTried?: (tried: TriedSet) => void
}

/** A set of restraints that was run. */
export interface TriedSet {
  readonly restraints: readonly Restraint[]
  readonly attacks: readonly SuiteAttack[]
  readonly effects: readonly Effect[]
}

/** What came of it. */
export interface Hardened {
  /** The attacks on the agent as it was. */
  readonly before: Redacted<Results>
  /** The same on the agent as it should be; absent where nothing is to be changed. */
  readonly after?: Redacted<Results>
  readonly hardening: ResultHardening
  readonly files: readonly EditedFile[]
}
