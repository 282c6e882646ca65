/** The types of `results.json`, from which every report is computed. */
import type { AttackVerdict, Category, FrameworkMapping, IndicatorVerdict, SeverityLevel, Tier } from '@joust/oatf'
import type { ActorOutcome } from './actor-outcome.ts'
import type { AivssProfile } from './aivss.ts'
import type { Channel, ChannelState, MainCalls } from './controls.ts'
import type { RunDiagnostic } from './diagnostics.ts'
import type { Assessment, Outcome } from './outcome.ts'
import type { EndReason } from './run-facts.ts'
import type { ThroughCall } from './through.ts'
import type { Considered, DecidingEntry } from './verdict.ts'

/** The format version; other versions are rejected. */
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

/** Reasons why a suite ended early. */
export const stopReasons = ['interrupted', 'budget', 'preflight', 'attacker'] as const

export interface Results {
  readonly version: typeof RESULTS_VERSION
  /** Version of Joust. */
  readonly joust: string
  readonly started_at: string
  readonly finished_at: string
  readonly suite: ResultSuite
  /** Reason for an early end. Absent if the suite is complete. */
  readonly stopped?: { readonly reason: (typeof stopReasons)[number]; readonly message: string }
  readonly targets: readonly TargetResults[]
}

/** The agent under attack. */
export interface ResultTarget {
  readonly kind: (typeof targetKinds)[number]
  readonly name: string
  /** Details that distinguish targets with the same name: model, agent version, command. Never contains secrets. */
  readonly details?: Readonly<Record<string, string>>
  /** Location of the target's configuration: its line in the project file, or the agent file. */
  readonly place?: { readonly file: string; readonly line?: number }
  /** Evaluator of semantic indicators ([OATF §11.4.8](https://oatf.io/specification/conformance/)). */
  readonly judge?: { readonly engine: string; readonly model: string; readonly version?: string }
  /** Properties that raise the severity of findings in the agent, as declared in its agent file. */
  readonly aivss?: AivssProfile
  /** Price of the target's model, if configured. */
  readonly price?: Price
}

/** Prices in US dollars per million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
}

/** The kind of request that a preflight sends. */
export type PreflightQuestion = 'tool_call' | 'answer'

/** A harmless request before the attacks: the target must make a tool call, or at least answer. */
export interface ResultPreflight {
  /** The result of the preflight. A target whose preflight failed is not attacked. */
  readonly status: 'passed' | 'failed' | 'skipped'
  /** The kind of request that was sent. Absent if the preflight was skipped. */
  readonly asked?: PreflightQuestion
  /** Reasons why the preflight failed or was skipped, with fixes. */
  readonly reasons: readonly string[]
  /** First step towards the tool call that the agent did not take. Absent if there was no such step. */
  readonly missing?: PreflightStep
  readonly duration_ms?: number
  /** Final answer of the agent. */
  readonly answer?: string
  /** MCP version of the target, if the target disconnected because of a newer version. */
  readonly mcp_version?: string
  /** State of each channel that the attacks use, determined with a marker sent through the channel. */
  readonly channels?: Readonly<Partial<Record<Channel, ChannelState>>>
  /** Channels whose state is unknown because the agent never fetched their text. */
  readonly unfetched?: readonly Channel[]
  /** Memory of the conversation, tested with a second message that refers to the first. Absent if not tested. */
  readonly remembers?: Memory
  /** Times at which a long-running agent lists the tools of its servers. Absent if not checked. */
  readonly lists_tools?: ToolListing
  /** Observed model calls that belong to the conversation with the user. */
  readonly main?: MainCalls
  /** Model usage, if observed. */
  readonly usage?: Trial['usage']
}

export const preflightSteps = ['connection', 'tool_list', 'tool_call'] as const

export type PreflightStep = (typeof preflightSteps)[number]

/** Times at which an agent lists tools: in each run, or only once after the agent has started. */
export const toolListings = ['each_run', 'once'] as const

export type ToolListing = (typeof toolListings)[number]

export const memories = ['yes', 'no', 'unknown'] as const

export type Memory = (typeof memories)[number]

export interface TargetResults extends ResultTarget {
  /** The preflight. Absent for targets that have no preflight, such as a simulated agent. */
  readonly preflight?: ResultPreflight
  /** Default MCP version of server actors, if it is not the version in the OATF specification. */
  readonly mcp_version?: string
  /** Cost in US dollars of all model calls, including the preflight. Absent if the price is not known. */
  readonly cost_usd?: number
  readonly attacks: readonly AttackResults[]
  /** Result of `joust harden`. `attacks` contains the results of the original agent. */
  readonly hardening?: ResultHardening
  /** Result of `joust search`. */
  readonly search?: ResultSearch
}

/** Restraints that stop the attacks, verified by runs. */
export interface ResultHardening {
  /** Smallest effective set of restraints. Empty if no restraint helps or none is needed. */
  readonly restraints: readonly ResultRestraint[]
  readonly attacks: readonly HardenedAttack[]
  /** Changes to the agent's files as a unified diff. Empty if there are no restraints. */
  readonly diff: string
  /** Cost of the search, not including the runs before the search. */
  readonly cost: { readonly sets: number; readonly runs: number; readonly calls: number; readonly tokens: number }
  /** Reason for an early end of the search. */
  readonly stopped?: string
}

/** An edit of an agent file. */
export interface ResultRestraint {
  readonly kind: string
  readonly file: string
  readonly text: string
  /** True for a change to instructions, which a model may ignore. */
  readonly weak?: true
}

/** The effect of restraints on an attack. */
export interface HardenedAttack {
  readonly file: string
  /**
   * `harmless`: the attack failed without restraints. `open`: no restraint stops it. `undecided`: the runs are
   * inconclusive.
   */
  readonly status: 'stopped' | 'harmless' | 'open' | 'undecided'
  readonly before: Outcome
  readonly after?: Outcome
  /** Texts of the restraints that stop the attack. */
  readonly by: readonly string[]
  /** Other restraints that each suffice alone and do not break the task. */
  readonly alternatives: readonly string[]
  /** Runs in which the user's task was completed. */
  readonly task?: { readonly before: UtilityShare; readonly after?: UtilityShare }
  /** Reason why the attack is not stopped. */
  readonly reason?: string
}

/** The number of runs that completed the task, among all conclusive runs. */
export interface UtilityShare {
  readonly done: number
  readonly of: number
}

/** The result of an adaptive attacker. */
export interface ResultSearch {
  /** `static`: the original attack succeeded. `adaptive`: a rewritten attack succeeded. */
  readonly success: 'static' | 'adaptive' | 'none'
  /** Number of candidates that were run up to the first success, or in total if none succeeded. */
  readonly tries: number
  readonly rounds: number
  readonly attacker: string
  /** Model usage of the agent and of the attacker. */
  readonly cost: { readonly agent: ModelCost; readonly attacker: ModelCost }
  /** For each turn of a conversation, the number of judged candidates that succeeded by then. */
  readonly turns?: readonly { readonly turn: number; readonly hits: number; readonly of: number }[]
}

export interface ModelCost {
  readonly calls: number
  readonly tokens: number
}

/** The attacks of a run and the number of their trials. */
export interface ResultSuite {
  readonly trials: number
  /** A hash of the attacks in the suite. */
  readonly fingerprint: string
  /** Question that ends the trials of each attack once decided; `trials` is then a limit. Absent for a fixed number. */
  readonly decide?: string
}

/** Answers to a question about a rate. `undecided`: the trials support neither `yes` nor `no`. */
export const answers = ['yes', 'no', 'undecided'] as const

export type Answer = (typeof answers)[number]

/** The answer to the question that ended the trials of an attack. */
export interface ResultDecision {
  /** The question, for example `asr<15%`: "Is the attack success rate below 15 %?" */
  readonly question: string
  readonly answer: Answer
  /** Number of conclusive trials. */
  readonly trials: number
  /** Number of further trials that would decide the question with `yes` if none succeeds; 0 if decided. */
  readonly more: number
}

/**
 * An attack with its trials. Its assessment is that of the worst trial, compared with the placebo. An attack without
 * trials is inconclusive.
 */
export interface AttackResults extends Assessment {
  readonly file: string
  /** Hash of the document. */
  readonly fingerprint: string
  readonly attack: ResultAttack
  readonly verdict: ResultVerdict
  /** The indicator verdicts that the outcome is based on, if they differ from those in `verdict`. */
  readonly counted?: readonly ResultIndicatorVerdict[]
  /** The answer to the question that ended the trials. Absent for a fixed number of trials. */
  readonly decision?: ResultDecision
  /** Cost in US dollars of all model calls for the attack. Absent if the price is not known. */
  readonly cost_usd?: number
  readonly trials: readonly Trial[]
  /** Runs of the document without its bait. Rates exclude these runs. */
  readonly placebo_trials?: readonly Trial[]
}

/** A verdict (OATF §9.3). Includes details of the messages that decided it if a trace was judged. */
export interface ResultVerdict extends AttackVerdict {
  readonly indicator_verdicts: readonly ResultIndicatorVerdict[]
}

/** An indicator verdict, with the deciding message and the number of messages left after each filter step. */
export interface ResultIndicatorVerdict extends IndicatorVerdict {
  readonly entry?: DecidingEntry
  readonly considered?: Considered
}

/** The attack properties that reports show and filter by. */
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
  /** Change to the agent or the agent's host that stops the attack (`x-joust-remediation`). */
  readonly remediation?: string
  /** CVSS 4.0 base score of the flaw (`x-joust-cvss`). */
  readonly cvss?: number
  /** Document text. */
  readonly text?: string
  /** Origin of a rewritten attack: the fingerprint of the original, and the mutations. */
  readonly adapted?: { readonly parent: string; readonly by: readonly string[] }
  readonly indicators: readonly ResultIndicator[]
  /** Indicators of a completed user task (`x-joust-task`). */
  readonly task?: readonly ResultIndicator[]
}

/** An indicator in the document. The verdicts are in the trials. */
export interface ResultIndicator {
  readonly id: string
  readonly protocol?: string
  readonly surface?: string
  readonly actor?: string
  readonly direction?: string
  readonly target: string
  readonly method: 'pattern' | 'expression' | 'semantic'
  readonly tier?: Tier
  /** Severity, if it differs from the severity of the attack. */
  readonly severity?: SeverityLevel
  readonly confidence?: number
  readonly description?: string
  /** Line in the document. */
  readonly line?: number
  /** For semantic indicators, the number of examples that the evaluator classified correctly (OATF §11.4.8). */
  readonly agreement?: { readonly right: number; readonly of: number }
}

/** A run of an attack. */
export interface Trial extends Assessment {
  /** Number of the trial, from 1. */
  readonly trial: number
  readonly verdict: ResultVerdict
  /** The indicator verdicts that the outcome is based on, if they differ from those in `verdict`. */
  readonly counted?: readonly ResultIndicatorVerdict[]
  /** Trace file, relative to the results folder. */
  readonly trace: string
  /** Final answer of the agent. */
  readonly answer?: string
  /** Output of the command, and the exit code of its last process. */
  readonly printed?: string
  readonly exit_code?: number
  /** Model usage of the agent. */
  readonly usage?: { readonly calls: number; readonly input_tokens: number; readonly output_tokens: number }
  /** Number of retries after failures outside the agent. */
  readonly retries?: number
  readonly duration_ms: number
  readonly ended: EndReason
  readonly actors: readonly ActorOutcome[]
  readonly diagnostics: readonly RunDiagnostic[]
  /** Descriptions of the connections between target and actors. */
  readonly wiring?: readonly string[]
  /** Verdict on the user's task, if the document has one (`x-joust-task`). */
  readonly task?: ResultVerdict
  /** Calls to the user's real servers. Absent without `--through`. */
  readonly through?: readonly ThroughCall[]
  /** Approval requests during the attack, and the responses. */
  readonly approvals?: readonly { readonly request: string; readonly approved: boolean }[]
}
