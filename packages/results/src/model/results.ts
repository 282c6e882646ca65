/** `results.json`: the results of a suite. Every report is computed from it. Section numbers refer to OATF. */
import type { AttackVerdict, Category, FrameworkMapping, IndicatorVerdict, SeverityLevel, Tier } from '@joust/oatf'
import type { ActorOutcome } from './actor-outcome.ts'
import type { AivssProfile } from './aivss.ts'
import type { Channel, ChannelState, MainCalls } from './controls.ts'
import type { RunDiagnostic } from './diagnostics.ts'
import type { Assessment, Outcome } from './outcome.ts'
import type { EndReason } from './run-facts.ts'
import type { ThroughCall } from './through.ts'
import type { Considered, DecidingEntry } from './verdict.ts'

/** The version of the format; other versions are rejected. Version 3 replaced `control` with `preflight`. */
export const RESULTS_VERSION = 3

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

/** Reasons for a suite that ended early. */
export const stopReasons = ['interrupted', 'budget', 'preflight', 'attacker'] as const

/** The results of a suite. */
export interface Results {
  readonly version: typeof RESULTS_VERSION
  /** The version of Joust. */
  readonly joust: string
  readonly started_at: string
  readonly finished_at: string
  readonly suite: ResultSuite
  /** The reason for an early end; absent if the suite is complete. */
  readonly stopped?: { readonly reason: (typeof stopReasons)[number]; readonly message: string }
  readonly targets: readonly TargetResults[]
}

/** The agent under attack. */
export interface ResultTarget {
  readonly kind: (typeof targetKinds)[number]
  readonly name: string
  /** Details that distinguish targets with the same name: model, agent version, command. No secrets. */
  readonly details?: Readonly<Record<string, string>>
  /** The place of the configuration of the target: its line in the project file, or the agent file. */
  readonly place?: { readonly file: string; readonly line?: number }
  /** The evaluator of semantic indicators ([OATF §11.4.8](https://oatf.io/specification/conformance/)). */
  readonly judge?: { readonly engine: string; readonly model: string; readonly version?: string }
  /** The properties of the agent that raise the severity of its findings, as its file declares them. */
  readonly aivss?: AivssProfile
  /** The price of the target's model, if given. */
  readonly price?: Price
}

/** The price in US dollars per million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
}

/** The kind of request that a preflight sends. */
export type PreflightQuestion = 'tool_call' | 'answer'

/** A harmless request before the attacks: the target must make a tool call, or at least answer. */
export interface ResultPreflight {
  /** The result of the preflight. A target with a failed preflight is not attacked. */
  readonly status: 'passed' | 'failed' | 'skipped'
  /** The request; absent if skipped. */
  readonly asked?: PreflightQuestion
  /** Reasons for a failed or skipped preflight, with the change that would fix it. */
  readonly reasons: readonly string[]
  readonly duration_ms?: number
  /** The agent's final answer. */
  readonly answer?: string
  /** The MCP version of the target, if it disconnected because of a newer one. */
  readonly mcp_version?: string
  /** The state of each channel of the attacks, according to a marker in it. */
  readonly channels?: Readonly<Partial<Record<Channel, ChannelState>>>
  /** The channels that are unknown because the agent never fetched their text. */
  readonly unfetched?: readonly Channel[]
  /** The memory of the conversation, according to a second message that needed the first; absent if none was sent. */
  readonly remembers?: Memory
  /** When an agent that outlives a run lists the tools of its servers; absent if that was not checked. */
  readonly lists_tools?: ToolListing
  /** The observed calls in the conversation with the user. */
  readonly main?: MainCalls
  /** Model usage, where the calls were observed. */
  readonly usage?: Trial['usage']
}

/** Times at which an agent lists tools: in each run, or only once after its start. */
export const toolListings = ['each_run', 'once'] as const

export type ToolListing = (typeof toolListings)[number]

/** States of the memory of a conversation. */
export const memories = ['yes', 'no', 'unknown'] as const

export type Memory = (typeof memories)[number]

/** The results of all attacks on one target. */
export interface TargetResults extends ResultTarget {
  /** The preflight of the target; absent for targets without one, for example a simulated agent. */
  readonly preflight?: ResultPreflight
  /** The MCP version that server actors used by default, if it differs from the version in OATF. */
  readonly mcp_version?: string
  /** The cost of all model calls, including the preflight, in US dollars; absent without a price. */
  readonly cost_usd?: number
  readonly attacks: readonly AttackResults[]
  /** The outcome of `joust harden`; `attacks` holds the results for the original agent. */
  readonly hardening?: ResultHardening
  /** The outcome of `joust search`. */
  readonly search?: ResultSearch
}

/** Restraints that stop the attacks, verified by runs. */
export interface ResultHardening {
  /** The smallest effective set of restraints; empty if none helps or none is needed. */
  readonly restraints: readonly ResultRestraint[]
  readonly attacks: readonly HardenedAttack[]
  /** The change of the agent's files as a unified diff; empty without restraints. */
  readonly diff: string
  /** The cost of the search, without the runs before it. */
  readonly cost: { readonly sets: number; readonly runs: number; readonly calls: number; readonly tokens: number }
  /** The reason for a search that ended early. */
  readonly stopped?: string
}

/** An edit of an agent file. */
export interface ResultRestraint {
  readonly kind: string
  readonly file: string
  readonly text: string
  /** True for a change of instructions, which a model may ignore. */
  readonly weak?: true
}

/** The effect of restraints on an attack. */
export interface HardenedAttack {
  readonly file: string
  /** `harmless`: the attack failed before. `open`: no restraint stops it. `undecided`: the runs are inconclusive. */
  readonly status: 'stopped' | 'harmless' | 'open' | 'undecided'
  readonly before: Outcome
  readonly after?: Outcome
  /** Texts of the restraints that stop the attack. */
  readonly by: readonly string[]
  /** Other restraints, each of which is sufficient alone and does not break the task. */
  readonly alternatives: readonly string[]
  /** Runs in which the user's task was completed. */
  readonly task?: { readonly before: UtilityShare; readonly after?: UtilityShare }
  /** The reason for an attack that is not stopped. */
  readonly reason?: string
}

/** Runs that completed the task, of all conclusive runs. */
export interface UtilityShare {
  readonly done: number
  readonly of: number
}

/** The outcome of an adaptive attacker. */
export interface ResultSearch {
  /** `static`: the original attack succeeded. `adaptive`: a rewritten one did. */
  readonly success: 'static' | 'adaptive' | 'none'
  /** Candidates that were run until the first success, or in total. */
  readonly tries: number
  readonly rounds: number
  readonly attacker: string
  /** Model usage of the agent and of the attacker. */
  readonly cost: { readonly agent: ModelCost; readonly attacker: ModelCost }
  /** For conversations, by turn: the number that succeeded up to this turn, of all judged ones. */
  readonly turns?: readonly { readonly turn: number; readonly hits: number; readonly of: number }[]
}

/** Model usage. */
export interface ModelCost {
  readonly calls: number
  readonly tokens: number
}

/** The suite of a run. */
export interface ResultSuite {
  readonly trials: number
  /** A hash that is equal for suites with the same attacks. */
  readonly fingerprint: string
  /** The question that ended the trials of each attack; `trials` is then the limit. Absent for a fixed number. */
  readonly decide?: string
}

/** Answers to a question about a rate; `undecided` if the trials support neither. */
export const answers = ['yes', 'no', 'undecided'] as const

export type Answer = (typeof answers)[number]

/** The answer to the question that ended the trials of an attack. */
export interface ResultDecision {
  /** The question, for example `asr<15%`: is the attack success rate below 15 %? */
  readonly question: string
  readonly answer: Answer
  /** The number of conclusive trials. */
  readonly trials: number
  /** Further trials, all without a success, that would answer with yes; 0 if decided. */
  readonly more: number
}

/**
 * An attack with its trials. The assessment is that of the worst trial, compared with the placebo; an attack without
 * trials is inconclusive.
 */
export interface AttackResults extends Assessment {
  readonly file: string
  /** A hash of the document. */
  readonly fingerprint: string
  readonly attack: ResultAttack
  readonly verdict: ResultVerdict
  /** The indicator verdicts that the outcome is based on, if they differ from those of `verdict`. */
  readonly counted?: readonly ResultIndicatorVerdict[]
  /** The answer to the question that ended the trials; absent for a fixed number of trials. */
  readonly decision?: ResultDecision
  /** The cost of all model calls for the attack in US dollars; absent without a price. */
  readonly cost_usd?: number
  readonly trials: readonly Trial[]
  /** Runs of the document without its bait; no rate includes them. */
  readonly placebo_trials?: readonly Trial[]
}

/** A verdict (OATF §9.3), with details of the deciding messages if a trace was judged. */
export interface ResultVerdict extends AttackVerdict {
  readonly indicator_verdicts: readonly ResultIndicatorVerdict[]
}

/** The verdict of an indicator, with the deciding message and the number of messages after each filter step. */
export interface ResultIndicatorVerdict extends IndicatorVerdict {
  readonly entry?: DecidingEntry
  readonly considered?: Considered
}

/** The properties of an attack that reports show and filter by. */
export interface ResultAttack {
  readonly id?: string
  readonly name: string
  readonly severity?: SeverityLevel
  /** The author's confidence in the severity, from 0 to 100. */
  readonly confidence?: number
  readonly category?: Category
  readonly protocols: readonly string[]
  readonly tags?: readonly string[]
  readonly mappings?: readonly FrameworkMapping[]
  readonly description?: string
  /** The change to the agent or its host that stops the attack (`x-joust-remediation`). */
  readonly remediation?: string
  /** The CVSS 4.0 base score of the flaw (`x-joust-cvss`). */
  readonly cvss?: number
  /** The text of the document. */
  readonly text?: string
  /** The origin of a rewritten attack: the fingerprint of the original, and the mutations. */
  readonly adapted?: { readonly parent: string; readonly by: readonly string[] }
  /** The indicators of the document. */
  readonly indicators: readonly ResultIndicator[]
  /** Indicators of a completed user task (`x-joust-task`). */
  readonly task?: readonly ResultIndicator[]
}

/** An indicator of the document; its verdicts are in the trials. */
export interface ResultIndicator {
  readonly id: string
  readonly protocol?: string
  readonly surface?: string
  readonly actor?: string
  readonly direction?: string
  readonly target: string
  readonly method: 'pattern' | 'expression' | 'semantic'
  readonly tier?: Tier
  /** The severity, if it differs from the attack's. */
  readonly severity?: SeverityLevel
  readonly confidence?: number
  readonly description?: string
  /** The line in the document. */
  readonly line?: number
  /** For semantic indicators: the number of examples that the evaluator classified correctly (OATF §11.4.8). */
  readonly agreement?: { readonly right: number; readonly of: number }
}

/** One run. */
export interface Trial extends Assessment {
  /** The number of the trial, from 1. */
  readonly trial: number
  readonly verdict: ResultVerdict
  /** The indicator verdicts that the outcome is based on, if they differ from those of `verdict`. */
  readonly counted?: readonly ResultIndicatorVerdict[]
  /** The trace file, relative to the folder of the results. */
  readonly trace: string
  /** The agent's final answer. */
  readonly answer?: string
  /** The output of the command, and the exit code of its last process. */
  readonly printed?: string
  readonly exit_code?: number
  /** Model usage of the agent. */
  readonly usage?: { readonly calls: number; readonly input_tokens: number; readonly output_tokens: number }
  /** The number of retries after failures outside the agent. */
  readonly retries?: number
  readonly duration_ms: number
  readonly ended: EndReason
  readonly actors: readonly ActorOutcome[]
  readonly diagnostics: readonly RunDiagnostic[]
  /** The connections between target and actors, as text. */
  readonly wiring?: readonly string[]
  /** The verdict on the user's task, if the document has one (`x-joust-task`). */
  readonly task?: ResultVerdict
  /** Calls to tools of the user's real servers; absent without `--through`. */
  readonly through?: readonly ThroughCall[]
  /** Approval requests during the attack, and their answers. */
  readonly approvals?: readonly { readonly request: string; readonly approved: boolean }[]
}
