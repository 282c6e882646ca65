/** The driver interface: protocol I/O for one actor. Phases, triggers, extraction and trace belong to the stage. */

import type { Clock } from '@joust/io'
import type { Direction, MatchPredicate, ResponseEntry } from '@joust/oatf'
import type { DiagnosticCode, Held, RunDiagnostic } from '@joust/results'
import type { Value } from '@joust/source'
import type { HttpSend } from '../model/http.ts'
import type { Probe } from '../model/probe.ts'
import type { RealSide } from '../model/through.ts'

/** The phase of an actor at one moment. A response uses the scene of its request, even after a phase change. */
export interface Scene {
  readonly index: number
  readonly phase: string
  /** The effective state as written; templates are filled on use. */
  readonly state: Value
}

export interface Message {
  readonly direction: Direction
  readonly flow: 'in' | 'out'
  readonly surface: string
  readonly content: Value
  readonly session?: string | undefined
  /** The reason if the message is malformed; `content` is then the message text. */
  readonly malformed?: string | undefined
  /** See `TraceEntry`. */
  readonly derived?: true
  /** The request params, in a response to a client; see `TraceEntry`. */
  readonly request?: Value | undefined
  /** The name of the tool, resource or prompt, in a response from an MCP server; see `TraceEntry`. */
  readonly about?: string | undefined
  /** The complete arguments at the end of an AG-UI tool call; see `TraceEntry`. */
  readonly arguments?: string | undefined
  /** Recorded only if the document reads headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface Incoming extends Omit<Message, 'flow' | 'malformed'> {
  /** More surfaces of the message, for example `task/status` for an item of `message/stream`. */
  readonly also?: readonly string[]
  readonly counts?: boolean
}

/** An actor as its driver sees it. */
export interface Stage {
  readonly actor: string
  readonly mode: string
  /** True if content is sent exactly as written (`x-joust-verbatim`). */
  readonly verbatim: boolean
  /** True if triggers and extractors ignore derived messages. */
  readonly strict: boolean
  scene(): Scene
  /**
   * Handles an incoming message: waits until the entry messages of the phase have been sent, records it, runs the
   * extractors, calls `answer`, then passes the message to the trigger. `answer` gets the phase in which the message
   * arrived and resolves once the response is sent. Never rejects; errors in `answer` are reported.
   */
  receive(message: Incoming, answer?: (scene: Scene) => Promise<void>): Promise<void>
  /** Records a message that is not an event: an outgoing or malformed message. Runs the extractors. */
  record(scene: Scene, message: Message): void
  /** Records an outgoing message, unless it turns out not to have arrived. Runs the extractors immediately. */
  send(scene: Scene, message: Message): Held
  /** Passes an event caused by the actor itself to the trigger, if the binding defines such an event. */
  count(scene: Scene, surface: string, content: Value): void
  /** Adds the HTTP headers to a request, if the document reads headers; for `choose`, `holds` and `fill`. */
  withHeaders(request: Value, headers: Readonly<Record<string, string>> | undefined): Value
  fill(value: Value, request?: Value, response?: Value): Value
  /**
   * Selects the entry of a dispatch list for a request ([OATF
   * §7.0.1](https://oatf.io/specification/protocol-bindings/)); only `when` is filled. Reports `synthesize`.
   */
  choose(entries: Value | undefined, request: Value, path: string): ResponseEntry | undefined
  /** Evaluates a predicate after filling its templates (OATF §5.7); true if there is no predicate. */
  holds(when: MatchPredicate | Value | undefined, request: Value): boolean
  /** Reports a diagnostic; repetitions are counted. */
  report(code: DiagnosticCode, message: string, path?: string, more?: Pick<RunDiagnostic, 'transient'>): void
}

/** The parts of a run that a driver uses. */
export interface DriverContext {
  readonly stage: Stage
  readonly clock: Clock
  readonly newId: () => string
  readonly signal: AbortSignal
  readonly limits: DriverLimits
  /** The MCP version of an actor if the document sets none. @default the version of OATF */
  readonly mcpVersion?: string
  /** MCP server actors: the real server that the actor overlays, if any. */
  readonly real?: RealSide
  /** True if the document may send requests to this URL; reports a refusal. */
  readonly mayReach: (url: string) => boolean
  /** True if the caller allows the host of a URL that a peer sent. */
  readonly mayFollow: (url: string) => boolean
  /** Sends requests to URLs in the document; call `mayReach` first. */
  readonly outbound: HttpSend
}

interface DriverLimits {
  /** Time limit for a response to start, in milliseconds. A started stream has no limit. */
  readonly replyMs: number
  readonly messageBytes: number
  readonly retries: number
}

/** A message in an entry action. */
export interface Entry {
  readonly method: string
  readonly params?: Value
  readonly headers?: Value
}

/** Protocol I/O for one actor. */
export interface Driver {
  /** Servers: binds. Clients: connects, including the handshake. Rejects with an `ArenaError`. Called once, first. */
  open(): Promise<void>
  /** Servers: the actor's address, once open. */
  readonly address?: () => string | undefined
  /**
   * Clients: sends the actions of a phase in order and waits for the responses. When the signal fires, unsent actions
   * are dropped (`action-dropped`) and pending ones continue. Rejects with an `ArenaError` if the peer is permanently
   * lost.
   */
  readonly perform?: (scene: Scene, signal: AbortSignal) => Promise<void>
  /** Servers with a single peer: resolves once the peer has disconnected and all its messages have been handled. */
  readonly gone?: Promise<void>
  /** Servers: true if a connected peer would receive unsolicited messages. */
  readonly present?: () => boolean
  /** Clients: true if events may arrive at any time over an open connection. */
  readonly standing?: boolean
  /** Sends and records an entry message (`on_enter: send`). Resolves once sent; `reply` settles with the response. */
  send(entry: Entry, scene: Scene): Promise<{ readonly reply?: Promise<void> }>
  /** Performs an entry action of the binding; false if the name is unknown. */
  readonly enact?: (name: string, value: Value, scene: Scene) => Promise<boolean>
  /** Clients of a server: sends a request outside the run; undefined if there is no response. Never rejects. */
  readonly probe?: Probe
  /** Closes all connections; nothing is passed to the stage afterwards. Never rejects. Idempotent. */
  close(): Promise<void>
}
