import type { ModelCall, Wire } from '@joust/models'
import type { WorkspaceFile } from '@joust/oatf'
import type { PreflightQuestion, Refusal, ResultTarget, TraceEntry } from '@joust/results'
import type { Diagnostic, Value } from '@joust/source'
import type { AttackNeeds } from './needs.ts'
import type { Connect, Listen } from './wiring.ts'

/**
 * A target: started once all server actors listen, stopped after the grace period.
 *
 * @example
 * const endpoint = endpointTarget({ ag_ui: { url: 'http://127.0.0.1:8000/agent' } })
 * const { outcome } = await runAttack(attack, { target: { ...endpoint, name: 'desk' } })
 */
export interface Target {
  /** The name in results. */
  readonly name: string
  /** The kind in results. @default 'function' */
  readonly kind?: ResultTarget['kind']
  /** The MCP version of server actors if the document sets none. */
  readonly mcpVersion?: string
  /** The preflight before a suite: the target must use a tool, or at least answer. Absent if no preflight is needed. */
  readonly preflight?: PreflightQuestion
  /** Set if a failed preflight does not end the suite: the model is observed, so each run shows its own failure. */
  readonly mayFailPreflight?: true
  /** The prompt for documents without a client actor: user text, whose values are trusted. */
  readonly prompt?: string | undefined
  /** The listen address of a server actor, unless the caller sets one. */
  listen?(actor: string, mode: string): Listen | undefined
  /** Features that a document needs but the target lacks, one sentence each. If any, the attack is not applicable. */
  lacks?(needs: AttackNeeds): readonly string[]
  /** This target with a fresh process for each run, for an agent that outlives runs and may list tools only once. */
  readonly fresh?: Target
  /** Starts the target; rejects with an `ArenaError`. */
  start(arena: TargetArena): Promise<TargetSession>
}

/** Information about a run for its target. */
export interface TargetArena {
  readonly servers: readonly ServerActor[]
  /** Lets server actors answer before the target has started, for an agent that connects to them while starting. */
  readonly beginServers?: () => void
  /** A fingerprint of all text in the attack, including text that is new in each run. */
  readonly textsOfAttack?: () => string
  /** The clients that the target must answer, except those that the caller connects elsewhere. */
  readonly clients: readonly ClientActor[]
  /** True if the target has listed the tools of an MCP server. */
  readonly hasListed?: (actor: string) => boolean
  /** The tools that server actors have listed. */
  readonly listedTools?: () => readonly ListedTool[]
  /** The attack's files for the agent's working folder; undefined if it needs no such folder. */
  readonly files?: readonly WorkspaceFile[]
  /** Records a message about a server actor's app, for a host that renders apps. */
  readonly recordApp?: (event: AppEvent) => void
  readonly signal: AbortSignal
  /** Time limit for a response to start in milliseconds, if the caller of the run sets one. */
  readonly replyMs?: number
}

/** A listening server actor. */
export interface ServerActor {
  readonly actor: string
  readonly mode: string
  readonly address: string
}

/** A tool that a server actor has listed. */
export interface ListedTool {
  readonly actor: string
  readonly name: string
  readonly description: string
}

/** A change in the working folder, or a command that the agent started there. */
export interface FolderEvent {
  readonly surface: 'file/changed' | 'command/started'
  readonly content: Value
}

/** An app's request, its host's response, or a network access. */
export interface AppEvent {
  /** The server actor that the app belongs to. */
  readonly actor: string
  readonly surface: 'app/rendered' | 'app/asked' | 'app/allowed' | 'app/refused' | 'network/sent' | 'network/blocked'
  readonly content: Value
}

/** A client actor that needs an endpoint. */
export interface ClientActor {
  readonly actor: string
  readonly mode: string
}

/** An approval request during an attack. */
export interface AskedApproval {
  readonly request: string
  readonly approved: boolean
}

/** An observed call to the agent's model; `in-process` if it was not sent over a network. */
export type ObservedCall = Pick<
  ModelCall,
  'model' | 'messages' | 'tools' | 'body' | 'answer' | 'finish' | 'usage' | 'error' | 'status' | 'started' | 'duration'
> & { readonly wire: Wire | 'in-process' }

/** Calls to the agent's model during one run, observed by a proxy or inside the agent. */
export interface ModelObservation {
  /** Returns all calls in the run, in start order. Complete once the target has stopped. */
  calls(): readonly ObservedCall[]
  /** Counts calls that are missing or may belong to another run. If any, an unread bait proves nothing. */
  missed(): number
}

/** The end of a process's standard error. */
export interface LastError {
  readonly text: string
  /** The time of the last output, in milliseconds since the epoch; 0 if there was none. */
  readonly at: number
}

/** A running target. */
export interface TargetSession {
  /** Endpoints of client actors, by actor. */
  readonly endpoints: Readonly<Record<string, Connect>>
  /** Starts the target's work once every actor is active; rejects on failure. Absent if it only answers clients. */
  readonly turn?: () => Promise<void>
  /** Descriptions of the connections between target and actors, one line each. */
  readonly wiring?: readonly string[]
  /** The approval requests and the decisions on them. */
  approvals?(): readonly AskedApproval[]
  /** Server actor responses that the agent's clients are known to have refused. */
  refusals?(): readonly Refusal[]
  /** The target's final answer, possibly truncated. */
  output?(): string
  /** The output of the target's processes, possibly truncated. */
  printed?(): string
  /** The end of the last process's standard error, if it is separate from the standard output. */
  lastError?(): LastError | undefined
  /** The exit code of the target's last process, if it exited on its own. */
  exitCode?(): number | undefined
  /** Waits briefly after a failed run, so that `faults` can explain it. Never rejects. */
  settle?(): Promise<void>
  /** Failures that no actor can observe. If there are any, the outcome cannot be `resisted`. */
  faults?(): readonly string[]
  /** Diagnostics about prompts and answers. */
  notes?(): readonly Diagnostic[]
  /** The calls to the target's model; undefined if they cannot be observed. */
  readonly observation?: ModelObservation
  /**
   * Asks one more user question in the last conversation of `trace`. Rejects if there is no answer. Absent or undefined
   * if the conversation cannot be continued.
   */
  ask?(question: string, trace: readonly TraceEntry[]): Promise<string> | undefined
  /**
   * Repeats the last conversation of `trace` in a new one, with an addition to the user messages. Rejects if there is
   * no answer. Absent or undefined if it cannot be repeated.
   */
  repeat?(addition: string, trace: readonly TraceEntry[]): Promise<string> | undefined
  /** The agent's activity in its working folder. Called once, at the end of the run; never rejects. */
  inspectFolder?(): Promise<readonly FolderEvent[]>
  /** Set for a server without an agent: it is alive if it answers an honest request from its client. */
  readonly isServer?: true
  /** Stops the target. Never rejects. */
  stop(): Promise<void>
}
