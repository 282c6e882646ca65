/** `results.json`: what a run of a suite found. Every report is computed from it. */
import type { AttackVerdict, Category, FrameworkMapping, IndicatorVerdict, SeverityLevel, Tier } from '@joust/oatf'
import type { Considered, DecidingEntry } from '../judge/verdict.ts'
import type { ActorOutcome } from '../model/actor-outcome.ts'
import type { RunDiagnostic } from '../model/diagnostics.ts'
import type { EndReason } from '../model/options.ts'
import type { Assessment, Outcome } from '../model/outcome.ts'
import type { ControlAsks } from '../model/target.ts'

/** The version that is written, and the only one that is read. */
export const RESULTS_VERSION = 2

export const targetKinds = [
  'agent',
  'model',
  'endpoint',
  'command',
  'acp',
  'http',
  'function',
  'self-play',
  'none',
] as const

/** Why not everything was run. */
export const stopReasons = ['interrupted', 'budget', 'control', 'attacker'] as const

/** The results of a suite. */
export interface Results {
  readonly version: typeof RESULTS_VERSION
  /** The version of the tool. */
  readonly joust: string
  readonly started_at: string
  readonly finished_at: string
  readonly suite: ResultSuite
  /** Absent when everything was run. */
  readonly stopped?: { readonly reason: (typeof stopReasons)[number]; readonly message: string }
  readonly targets: readonly TargetResults[]
}

/** Who was attacked, and how it was wired. */
export interface ResultTarget {
  readonly kind: (typeof targetKinds)[number]
  readonly name: string
  /** What distinguishes two targets with one name: model, agent version, command. No secrets. */
  readonly details?: Readonly<Record<string, string>>
  /** What judged semantic indicators, if anything did (§11.4.8). */
  readonly judge?: { readonly engine: string; readonly model: string; readonly version?: string }
}

/** Whether a target could do one harmless tool call, or at least answer, before it was attacked. */
export interface ResultControl {
  /** A target whose control failed is not attacked. */
  readonly status: 'passed' | 'failed' | 'skipped'
  /** What the target was asked for, where it was asked. */
  readonly asked?: ControlAsks
  /** Why it failed, with what to change, or why there was none. */
  readonly reasons: readonly string[]
  readonly duration_ms?: number
  /** What the agent finally said. */
  readonly answer?: string
  /** The version of MCP that it turned out to speak, where it left because of a newer one. */
  readonly mcp_version?: string
}

/** One target, all of its attacks. */
export interface TargetResults extends ResultTarget {
  /** Absent where no control was made: the target is a simulation, say, or cannot be asked. */
  readonly control?: ResultControl
  /** The version of MCP that server actors spoke where the document has none, unless it is the specification's. */
  readonly mcp_version?: string
  readonly attacks: readonly AttackResults[]
  /** The outcome of a search for restraints (`joust harden`); the attacks are those on the agent as it was. */
  readonly hardening?: ResultHardening
  /** The outcome of a search for a bait (`joust search`). */
  readonly search?: ResultSearch
}

/** What would have stopped the attacks, shown by runs. */
export interface ResultHardening {
  /** The smallest set that was found; empty where nothing helps or nothing is needed. */
  readonly restraints: readonly ResultRestraint[]
  readonly attacks: readonly HardenedAttack[]
  /** The change of the agent's files, as a unified diff; empty where there is none. */
  readonly diff: string
  /** What the search cost, besides the runs before it. */
  readonly cost: { readonly sets: number; readonly runs: number; readonly calls: number; readonly tokens: number }
  /** Why the search ended early. */
  readonly stopped?: string
}

/** An edit of an agent file. */
export interface ResultRestraint {
  readonly kind: string
  readonly file: string
  readonly text: string
  /** Whether a model may ignore it. */
  readonly weak?: true
}

/** The effect on an attack. */
export interface HardenedAttack {
  readonly file: string
  /** It is stopped, was harmless before, stays open whatever the file says, or nothing is known. */
  readonly status: 'stopped' | 'harmless' | 'open' | 'undecided'
  readonly before: Outcome
  readonly after?: Outcome
  /** Texts of the restraints that stop it. */
  readonly by: readonly string[]
  /** Others, each of which would stop it alone and leave its task done. */
  readonly alternatives: readonly string[]
  /** How often the task was done. */
  readonly task?: { readonly before: UtilityShare; readonly after?: UtilityShare }
  /** Why it is not stopped. */
  readonly reason?: string
}

/** How many runs did the task, of those that tell. */
export interface UtilityShare {
  readonly done: number
  readonly of: number
}

/** What an attacker who tries again needed. */
export interface ResultSearch {
  /** The attack got through as it was given, or as the attacker rewrote it, or not at all. */
  readonly success: 'static' | 'adaptive' | 'none'
  /** Candidates that were run until success, or in all. */
  readonly tries: number
  readonly rounds: number
  readonly attacker: string
  /** What models used: those of the agent, and the attacker's. */
  readonly cost: { readonly agent: ModelCost; readonly attacker: ModelCost }
}

/** What models used. */
export interface ModelCost {
  readonly calls: number
  readonly tokens: number
}

/** What was run. */
export interface ResultSuite {
  readonly trials: number
  /** The same for suites that hold the same attacks. */
  readonly fingerprint: string
}

/** One attack, all of its trials. Its assessment is that of its worst trial; without any trial, nothing can be said. */
export interface AttackResults extends Assessment {
  readonly file: string
  /** Changes when the document does. */
  readonly fingerprint: string
  readonly attack: ResultAttack
  readonly verdict: ResultVerdict
  /** The verdicts of the indicators as the outcome counts them, in order; absent where they are those of the verdict. */
  readonly counted?: readonly ResultIndicatorVerdict[]
  readonly trials: readonly Trial[]
}

/** A verdict as in §9.3; what the judge of a trace knows beyond that is there when a trace was judged. */
export interface ResultVerdict extends AttackVerdict {
  readonly indicator_verdicts: readonly ResultIndicatorVerdict[]
}

/** The verdict of an indicator: which message decided it, and how many each step of the filter left. */
export interface ResultIndicatorVerdict extends IndicatorVerdict {
  readonly entry?: DecidingEntry
  readonly considered?: Considered
}

/** What reports show and filter by. */
export interface ResultAttack {
  readonly id?: string
  readonly name: string
  readonly severity?: SeverityLevel
  /** How sure the author is of the severity, from 0 to 100. */
  readonly confidence?: number
  readonly category?: Category
  readonly protocols: readonly string[]
  readonly tags?: readonly string[]
  readonly mappings?: readonly FrameworkMapping[]
  readonly description?: string
  /** The document as it was run. */
  readonly text?: string
  /** Set when the attack is a rewriting of another one: its fingerprint, and what was done to it. */
  readonly adapted?: { readonly parent: string; readonly by: readonly string[] }
  /** What each indicator looks for, by id. */
  readonly indicators: readonly ResultIndicator[]
  /** What shows that the user's task was done (`x-joust-task`), where the document says that. */
  readonly task?: readonly ResultIndicator[]
}

/** An indicator as the document has it; the verdicts are in the trials. */
export interface ResultIndicator {
  readonly id: string
  readonly protocol?: string
  readonly surface?: string
  readonly actor?: string
  readonly direction?: string
  readonly target: string
  readonly method: 'pattern' | 'expression' | 'semantic'
  readonly tier?: Tier
  /** Its severity, where it differs from that of the attack. */
  readonly severity?: SeverityLevel
  readonly confidence?: number
  readonly description?: string
  /** Where it is in the document. */
  readonly line?: number
  /** For a semantic indicator: how many of its examples the judge classified correctly (§11.4.8). */
  readonly agreement?: { readonly right: number; readonly of: number }
}

/** One run. */
export interface Trial extends Assessment {
  /** Counts from 1. */
  readonly trial: number
  readonly verdict: ResultVerdict
  /** The verdicts of the indicators as the outcome counts them, in order; absent where they are those of the verdict. */
  readonly counted?: readonly ResultIndicatorVerdict[]
  /** The file of the trace, relative to the folder of the results. */
  readonly trace: string
  /** What the agent finally said. */
  readonly answer?: string
  /** What the processes of a command printed, and how the last of them ended. */
  readonly printed?: string
  readonly exit_code?: number
  /** What the agent's model used. */
  readonly usage?: { readonly calls: number; readonly input_tokens: number; readonly output_tokens: number }
  /** How often it was repeated because something outside the agent had failed. */
  readonly retries?: number
  readonly duration_ms: number
  readonly ended: EndReason
  readonly actors: readonly ActorOutcome[]
  readonly diagnostics: readonly RunDiagnostic[]
  /** Who was connected to whom, as text. */
  readonly wiring?: readonly string[]
  /** Whether the agent did what the user wanted (`x-joust-task`), when the document says what that is. */
  readonly task?: ResultVerdict
  /** Approvals that were asked for during the attack, and how they were answered. */
  readonly approvals?: readonly { readonly request: string; readonly approved: boolean }[]
}
