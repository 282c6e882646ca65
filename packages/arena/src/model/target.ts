/** Who is attacked. */
import type { Diagnostic } from '@joust/source'
import type { AttackNeeds } from './needs.ts'
import type { Connect, Listen } from './wiring.ts'

/** Something that can be attacked: started once all server actors listen, stopped after the grace period. */
export interface Target {
  /** How it is named in results. */
  readonly name: string
  /** The version of MCP that server actors speak with it where the document sets none. */
  readonly mcpVersion?: string
  /**
   * What it has to show before a suite is believed: that it uses a tool, where attacks give it some, or at least that
   * it answers. Absent where no control is needed.
   */
  readonly control?: ControlAsks
  /** Where it wants a server actor to listen, asked before that actor is opened; the caller's choice comes first. */
  listen?(actor: string, mode: string): Listen | undefined
  /** What a document needs and this lacks, one sentence each: the attack is not applicable, and nothing is started. */
  lacks?(needs: AttackNeeds): readonly string[]
  /** Starts it; rejects with an `ArenaError` that says what is missing. */
  start(arena: TargetArena): Promise<TargetSession>
}

/** What a control asks for. */
export type ControlAsks = 'tool_call' | 'answer'

/** What a target is told about a run. */
export interface TargetArena {
  readonly servers: readonly ServerActor[]
  /** The clients that it has to answer; those that the caller connects elsewhere are left out. */
  readonly clients: readonly ClientActor[]
  /** Whether the target has asked an MCP server for its tools. */
  readonly hasListed?: (actor: string) => boolean
  /** Fires when the run ends. */
  readonly signal: AbortSignal
  /** Milliseconds that an answer may take to begin, where the caller of the run sets them. */
  readonly replyMs?: number
}

/** A server actor that listens. */
export interface ServerActor {
  readonly actor: string
  readonly mode: string
  readonly address: string
}

/** A client actor that needs a place to go. */
export interface ClientActor {
  readonly actor: string
  readonly mode: string
}

/** An approval that was asked for during an attack. */
export interface AskedApproval {
  readonly request: string
  readonly approved: boolean
}

/** An answer of a server actor that the agent's own client refused, so that the agent has not seen it. */
export interface Refusal {
  readonly actor: string
  /** What was asked for, in the protocol's terms. */
  readonly operation: string
  readonly message: string
}

/** A running target. */
export interface TargetSession {
  /** Where client actors find it, by actor. */
  readonly endpoints: Readonly<Record<string, Connect>>
  /**
   * Begins what the target does on its own, once every actor is active; resolves when that is over, rejects when it
   * failed. Absent when it only answers.
   */
  readonly turn?: () => Promise<void>
  /** Who is connected to whom, one line each, for people. */
  readonly wiring?: readonly string[]
  /** The approvals that were asked for so far, and how they were answered. */
  approvals?(): readonly AskedApproval[]
  /** Answers of server actors that its clients refused so far, as far as it knows. */
  refusals?(): readonly Refusal[]
  /** What it finally said, as far as that was kept. */
  output?(): string
  /** What its processes printed, as far as that was kept. */
  printed?(): string
  /** How the last of its processes ended, if it ended on its own. */
  exitCode?(): number | undefined
  /** Failures so far that no actor notices: with any of them, the agent cannot have resisted. */
  faults?(): readonly string[]
  /** What is worth knowing about how it was asked and how it answered, so far. */
  notes?(): readonly Diagnostic[]
  /** Ends it. Never rejects. */
  stop(): Promise<void>
}
