/** The target of an attack. */

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
  /** The MCP version of server actors when the document sets none. */
  readonly mcpVersion?: string
  /**
   * The preflight before a suite: the target must use a tool, or at least answer. Absent when no preflight is needed.
   */
  readonly preflight?: PreflightQuestion
  /** Set if a failed preflight does not end the suite: the model is observed, so each run shows its own failure. */
  readonly mayFailPreflight?: true
  /** The prompt for documents without a client actor: text of the user, whose values are trusted. */
  readonly prompt?: string | undefined
  /** The listen address of a server actor, unless the caller sets one. */
  listen?(actor: string, mode: string): Listen | undefined
  /** Features that a document needs but the target lacks, one sentence each. If any, the attack is not applicable. */
  lacks?(needs: AttackNeeds): readonly string[]
  /** This target with a fresh process for each run, for an agent that outlives runs and may list tools once. */
  readonly fresh?: Target
  /** Starts the target; rejects with an `ArenaError`. */
  start(arena: TargetArena): Promise<TargetSession>
}

/** The information about a run that its target receives. */
export interface TargetArena {
  readonly servers: readonly ServerActor[]
  /** Lets server actors answer before the target has started, for an agent that connects to them during its start. */
  readonly beginServers?: () => void
  /** A fingerprint of all texts of the attack, including those that are new in each run. */
  readonly textsOfAttack?: () => string
  /** The clients that the target has to answer, without those that the caller connects elsewhere. */
  readonly clients: readonly ClientActor[]
  /** True when the target has listed the tools of an MCP server. */
  readonly hasListed?: (actor: string) => boolean
  /** The tools that server actors have listed so far. */
  readonly listedTools?: () => readonly ListedTool[]
  /** The files of the attack, for the working folder of the agent; absent if it needs no such folder. */
  readonly files?: readonly WorkspaceFile[]
  /** Records a message about an app of a server actor, in a host that renders apps. */
  readonly recordApp?: (event: AppEvent) => void
  /** Fires when the run ends. */
  readonly signal: AbortSignal
  /** Timeout for an answer to start in milliseconds, if the caller of the run sets one. */
  readonly replyMs?: number
}

/** A server actor that listens. */
export interface ServerActor {
  readonly actor: string
  readonly mode: string
  readonly address: string
}

/** A tool in a listing that a server actor has sent. */
export interface ListedTool {
  readonly actor: string
  readonly name: string
  readonly description: string
}

/** A change of the working folder, or a command that the agent has started there. */
export interface FolderEvent {
  readonly surface: 'file/changed' | 'command/started'
  readonly content: Value
}

/** A request from an app, its host's answer, or an access to the network. */
export interface AppEvent {
  /** The server actor of the app. */
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

/** An observed call to the agent's model; `in-process` where no wire is involved. */
export type ObservedCall = Pick<
  ModelCall,
  'model' | 'messages' | 'tools' | 'body' | 'answer' | 'finish' | 'usage' | 'error' | 'status' | 'started' | 'duration'
> & { readonly wire: Wire | 'in-process' }

/** Calls to the agent's model during one run, observed by a proxy or inside the agent. */
export interface ModelObservation {
  /** All calls in the run, in the order of their start. Complete once the target has stopped. */
  calls(): readonly ObservedCall[]
  /** Calls that were not recorded, or may belong to another run. With any of them, an unread bait proves nothing. */
  missed(): number
}

/** The end of the standard error of a process. */
export interface LastError {
  readonly text: string
  /** The time of the last output, in milliseconds since the epoch; 0 if there was none. */
  readonly at: number
}

/** A running target. */
export interface TargetSession {
  /** The endpoints of client actors, by actor. */
  readonly endpoints: Readonly<Record<string, Connect>>
  /**
   * Starts the work of the target once every actor is active; resolves when it is done, rejects when it failed. Absent
   * if the target only answers clients.
   */
  readonly turn?: () => Promise<void>
  /** Descriptions of the connections between target and actors, one line each. */
  readonly wiring?: readonly string[]
  /** The approval requests so far, and their answers. */
  approvals?(): readonly AskedApproval[]
  /** Answers of server actors that clients of the agent have refused so far, as far as known. */
  refusals?(): readonly Refusal[]
  /** The final answer, possibly truncated. */
  output?(): string
  /** The output of the target's processes, possibly truncated. */
  printed?(): string
  /** The end of the standard error of the target's last process, where it is known apart from the standard output. */
  lastError?(): LastError | undefined
  /** The exit code of the target's last process, if it exited on its own. */
  exitCode?(): number | undefined
  /** Waits briefly after a failed run, so that `faults` can explain it. Never rejects. */
  settle?(): Promise<void>
  /** Failures so far that no actor can observe. With any of them, the outcome cannot be `resisted`. */
  faults?(): readonly string[]
  /** Diagnostics about prompts and answers so far. */
  notes?(): readonly Diagnostic[]
  /** The calls to the target's model. Absent where they cannot be observed. */
  readonly observation?: ModelObservation
  /**
   * Asks one more question of the user in the last conversation of `trace`. Rejects without an answer. Absent or
   * undefined where the conversation cannot be continued.
   */
  ask?(question: string, trace: readonly TraceEntry[]): Promise<string> | undefined
  /**
   * Repeats the last conversation of `trace` in a new one, with an addition to the user's messages. Rejects
   * without an answer. Absent or undefined where it cannot be repeated.
   */
  repeat?(addition: string, trace: readonly TraceEntry[]): Promise<string> | undefined
  /** The activity of the agent in its working folder so far. Called once, at the end of the run; never rejects. */
  inspectFolder?(): Promise<readonly FolderEvent[]>
  /** Set for a server without an agent: it is alive if it answers an honest request of its client. */
  readonly isServer?: true
  /** Stops the target. Never rejects. */
  stop(): Promise<void>
}
