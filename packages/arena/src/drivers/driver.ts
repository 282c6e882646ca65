/** What a driver is: protocol I/O for one actor only. Phases, triggers, extraction and trace are up to the stage. */

import type { Clock } from '@joust/io'
import type { Direction, MatchPredicate, ResponseEntry } from '@joust/oatf'
import type { Value } from '@joust/source'
import type { DiagnosticCode } from '../model/diagnostics.ts'
import type { HttpSend } from '../model/http.ts'
import type { Held } from '../model/trace-entry.ts'

/** The phase that an actor is in. Whoever holds a scene answers from it, whatever has happened in the meantime. */
export interface Scene {
  readonly index: number
  readonly phase: string
  /** The effective state as written: templates are filled where it is used. */
  readonly state: Value
}

/** A message, in or out. */
export interface Message {
  readonly direction: Direction
  readonly flow: 'in' | 'out'
  readonly surface: string
  readonly content: Value
  readonly session?: string | undefined
  /** Why the message could not be read; `content` is then its text. */
  readonly malformed?: string | undefined
  /** See `TraceEntry`. */
  readonly derived?: true
  /** See `TraceEntry`. */
  readonly request?: Value | undefined
  /** See `TraceEntry`. */
  readonly arguments?: string | undefined
}

/** An incoming message that triggers may count. */
export interface Incoming extends Omit<Message, 'flow' | 'malformed'> {
  /** More names of the same message, for example `task/status` of an item of `message/stream`. */
  readonly also?: readonly string[]
  /** False for what is not an event: triggers leave it alone. */
  readonly counts?: boolean
}

/** What a driver asks of its actor, and tells it. */
export interface Stage {
  readonly actor: string
  readonly mode: string
  /** Whether what the document sends is left exactly as written (`x-joust-verbatim`). */
  readonly verbatim: boolean
  /** True when triggers and extractors see only messages as they were received, and no derived ones. */
  readonly strict: boolean
  /** The phase as it is now. */
  scene(): Scene
  /**
   * Takes an incoming message through its whole life: waits until the entry messages of the phase have been sent,
   * records it, extracts from it, lets the driver answer, then makes the trigger count it. `answer` gets the phase in
   * which the message arrived and resolves once the answer is on the wire. Never rejects; what `answer` throws is
   * reported.
   */
  receive(message: Incoming, answer?: (scene: Scene) => Promise<void>): Promise<void>
  /** Records a message that is not an event (what goes out, what could not be read) and extracts from it. */
  record(scene: Scene, message: Message): void
  /**
   * Records a message that is being sent and may not arrive; if it does not, it is left out of the trace. Extracts from
   * it at once.
   */
  send(scene: Scene, message: Message): Held
  /** Makes the trigger count something that the actor itself did; only for events that a binding defines that way. */
  count(scene: Scene, surface: string, content: Value): void
  /** Fills the templates of a value, now. */
  fill(value: Value, request?: Value, response?: Value): Value
  /** The entry of a dispatch list that answers a request (§7.0.1), with only `when` filled. Warns of `synthesize`. */
  choose(entries: Value | undefined, request: Value, path: string): ResponseEntry | undefined
  /** Whether a predicate holds, its templates resolved first (§5.7); an absent one does. */
  holds(when: MatchPredicate | Value | undefined, request: Value): boolean
  /** Reports a diagnostic; the same one twice is counted, not repeated. */
  report(code: DiagnosticCode, message: string, path?: string): void
}

/** What a driver is made with. */
export interface DriverContext {
  readonly stage: Stage
  readonly clock: Clock
  /** A fresh identifier. */
  readonly newId: () => string
  /** Fires when the run ends. */
  readonly signal: AbortSignal
  readonly limits: DriverLimits
  /** What an MCP server speaks where the document sets no version; by default, the specification's. */
  readonly mcpVersion?: string
  /** Whether the document may reach this address on its own; reports when it may not. */
  readonly mayReach: (url: string) => boolean
  /** Whether the caller has named the host of an address that a peer wants us to go to. */
  readonly mayFollow: (url: string) => boolean
  /** Sends requests to addresses from the document, once `mayReach` has allowed it. */
  readonly outbound: HttpSend
}

/** Bounds on what a peer may do to a driver. */
interface DriverLimits {
  /** How long an answer to a request of ours may take. Streams have no limit of their own once they have begun. */
  readonly replyMs: number
  readonly messageBytes: number
  /** How often a connection is tried again. */
  readonly retries: number
}

/** A message that an entry action sends. */
export interface Entry {
  readonly method: string
  readonly params?: Value
}

/** Protocol I/O for one actor. */
export interface Driver {
  /**
   * Servers: binds and accepts connections. Clients: connects, with the handshake of the protocol. Rejects with an
   * `ArenaError`. Called once, before anything else.
   */
  open(): Promise<void>
  /** Servers: where the target finds the actor, once it is open. */
  readonly address?: () => string | undefined
  /**
   * Clients: sends the actions of a phase in order and waits for what they bring. When the signal fires, what has not
   * been sent is dropped (with `action-dropped`) and what is under way continues. Rejects with an `ArenaError` when the
   * peer is gone for good.
   */
  readonly perform?: (scene: Scene, signal: AbortSignal) => Promise<void>
  /** Servers with a single peer: resolves when it is gone and everything it sent has been dealt with. */
  readonly gone?: Promise<void>
  /** Servers: whether a peer would currently see what the actor does on its own. */
  readonly present?: () => boolean
  /** Clients: whether events may come while nothing is under way, over a connection that stays open. */
  readonly standing?: boolean
  /** Sends an entry message (`on_enter: send`), recorded. Resolves once it is sent; `reply` settles on the answer. */
  send(entry: Entry, scene: Scene): Promise<{ readonly reply?: Promise<void> }>
  /** Performs an entry action of the binding; false when the binding has none of that name. */
  readonly enact?: (name: string, value: Value, scene: Scene) => Promise<boolean>
  /** Ends everything; after that, nothing is passed to the stage. Never rejects. Can be called again. */
  close(): Promise<void>
}
