/** The driver interface: protocol I/O for one actor. Phases, triggers, extraction and trace belong to the stage. */

import type { Clock } from '@joust/io'
import type { Direction, MatchPredicate, ResponseEntry } from '@joust/oatf'
import type { DiagnosticCode, Held, RunDiagnostic } from '@joust/results'
import type { Value } from '@joust/source'
import type { HttpSend } from '../model/http.ts'
import type { Probe } from '../model/probe.ts'
import type { RealSide } from '../model/through.ts'

/** The phase of an actor at one moment. An answer uses the scene of its request, even after a phase change. */
export interface Scene {
  readonly index: number
  readonly phase: string
  /** The effective state as written; templates are filled on use. */
  readonly state: Value
}

/** A message, in or out. */
export interface Message {
  readonly direction: Direction
  readonly flow: 'in' | 'out'
  readonly surface: string
  readonly content: Value
  readonly session?: string | undefined
  /** The reason why the message is malformed; `content` is then its text. */
  readonly malformed?: string | undefined
  /** True for a derived message; see `TraceEntry`. */
  readonly derived?: true
  /** For a response to a client: the params of its request; see `TraceEntry`. */
  readonly request?: Value | undefined
  /** For an answer from an MCP server: the name of its tool, resource or prompt; see `TraceEntry`. */
  readonly about?: string | undefined
  /** The complete arguments at the end of an AG-UI tool call; see `TraceEntry`. */
  readonly arguments?: string | undefined
  /** The HTTP headers of the message; recorded only if the document reads them. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** An incoming message that triggers may count. */
export interface Incoming extends Omit<Message, 'flow' | 'malformed'> {
  /** More names of the same message, for example `task/status` of an item of `message/stream`. */
  readonly also?: readonly string[]
  /** False for a message that triggers ignore. */
  readonly counts?: boolean
}

/** The interface of an actor to its driver. */
export interface Stage {
  readonly actor: string
  readonly mode: string
  /** True when content is sent exactly as written (`x-joust-verbatim`). */
  readonly verbatim: boolean
  /** True when triggers and extractors ignore derived messages. */
  readonly strict: boolean
  /** The current phase. */
  scene(): Scene
  /**
   * Handles an incoming message: waits until the entry messages of the phase have been sent, records it, runs the
   * extractors, calls `answer`, then passes it to the trigger. `answer` gets the phase in which the message arrived and
   * resolves once the answer is sent. Never rejects; errors of `answer` are reported.
   */
  receive(message: Incoming, answer?: (scene: Scene) => Promise<void>): Promise<void>
  /** Records a message that is not an event (outgoing or malformed) and runs the extractors. */
  record(scene: Scene, message: Message): void
  /**
   * Records an outgoing message that may not arrive; if it does not, it is left out of the trace. Runs the extractors
   * immediately.
   */
  send(scene: Scene, message: Message): Held
  /** Passes an event of the actor itself to the trigger, where the binding defines one. */
  count(scene: Scene, surface: string, content: Value): void
  /** A request with its HTTP headers beside it, if the document reads them; for `choose`, `holds` and `fill`. */
  withHeaders(request: Value, headers: Readonly<Record<string, string>> | undefined): Value
  /** Fills the templates of a value. */
  fill(value: Value, request?: Value, response?: Value): Value
  /**
   * Selects the entry of a dispatch list for a request
   * ([OATF §7.0.1](https://oatf.io/specification/protocol-bindings/)), with only `when` filled. Warns of `synthesize`.
   */
  choose(entries: Value | undefined, request: Value, path: string): ResponseEntry | undefined
  /** Evaluates a predicate after filling its templates (OATF §5.7); true when absent. */
  holds(when: MatchPredicate | Value | undefined, request: Value): boolean
  /** Reports a diagnostic; repetitions are counted. */
  report(code: DiagnosticCode, message: string, path?: string, more?: Pick<RunDiagnostic, 'transient'>): void
}

/** The context of a driver. */
export interface DriverContext {
  readonly stage: Stage
  readonly clock: Clock
  /** A fresh identifier. */
  readonly newId: () => string
  /** Fires when the run ends. */
  readonly signal: AbortSignal
  readonly limits: DriverLimits
  /** The MCP version of an actor when the document sets none. @default the version of OATF */
  readonly mcpVersion?: string
  /** Server actors of MCP: the real server that the actor overlays, if any. */
  readonly real?: RealSide
  /** True if the document may send requests to this URL; reports a refusal. */
  readonly mayReach: (url: string) => boolean
  /** True if the caller allows the host of a URL that a peer names. */
  readonly mayFollow: (url: string) => boolean
  /** Sends requests to URLs of the document, after `mayReach`. */
  readonly outbound: HttpSend
}

/** Limits on the messages from a peer. */
interface DriverLimits {
  /** Timeout for an answer to start, in milliseconds. Streams have no limit once started. */
  readonly replyMs: number
  readonly messageBytes: number
  /** Maximum number of connection retries. */
  readonly retries: number
}

/** A message that an entry action sends. */
export interface Entry {
  readonly method: string
  readonly params?: Value
  /** The extension `x-joust-headers`. */
  readonly headers?: Value
}

/** Protocol I/O for one actor. */
export interface Driver {
  /**
   * Servers: binds and accepts connections. Clients: connects, including the handshake. Rejects with an `ArenaError`.
   * Called once, first.
   */
  open(): Promise<void>
  /** Servers: the address of the actor, once open. */
  readonly address?: () => string | undefined
  /**
   * Clients: sends the actions of a phase in order and waits for their answers. When the signal fires, unsent actions
   * are dropped (`action-dropped`) and pending ones continue. Rejects with an `ArenaError` when the peer is gone for
   * good.
   */
  readonly perform?: (scene: Scene, signal: AbortSignal) => Promise<void>
  /** Servers with a single peer: resolves when it is gone and all its messages have been handled. */
  readonly gone?: Promise<void>
  /** Servers: true when a connected peer would receive unsolicited messages. */
  readonly present?: () => boolean
  /** Clients: true when events may arrive at any time over an open connection. */
  readonly standing?: boolean
  /** Sends and records an entry message (`on_enter: send`). Resolves once sent; `reply` settles on the answer. */
  send(entry: Entry, scene: Scene): Promise<{ readonly reply?: Promise<void> }>
  /** Performs an entry action of the binding; false for an unknown name. */
  readonly enact?: (name: string, value: Value, scene: Scene) => Promise<boolean>
  /** Clients of a server: sends a request outside the run; undefined without an answer. Never rejects. */
  readonly probe?: Probe
  /** Closes all connections; nothing is passed to the stage afterwards. Never rejects. Idempotent. */
  close(): Promise<void>
}
