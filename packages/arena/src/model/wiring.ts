/** Listen addresses and endpoints of actors, as options and as transports for drivers. */

import type { Line } from '@joust/io'
import type { KnownMode } from '@joust/oatf'
import type { HttpListen, HttpSend } from './http.ts'

/** Modes of client actors. */
export type ClientMode = Extract<KnownMode, `${string}_client`>
/** Modes of server actors. */
export type ServerMode = Extract<KnownMode, `${string}_server`>

/** The transport of a server actor. */
export type ServerEnd =
  | { readonly kind: 'http'; readonly listen: HttpListen }
  /** A single connected peer, such as over standard input and output. */
  | { readonly kind: 'pipe'; readonly pipe: Pipe }

/** The HTTP transport of a client actor. */
export interface HttpClientEnd {
  readonly kind: 'http'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly send: HttpSend
  /** True to ignore the endpoint in an agent card. */
  readonly isFinal?: true
  /** Time limit for a response to start, in milliseconds; overrides the run limit. */
  readonly replyMs?: number
}

/** The transport of a client actor. */
export type ClientEnd = HttpClientEnd | { readonly kind: 'pipe'; readonly open: PipeOpen }

/** The listen option of a server actor: an address, the standard streams of this process, or a transport. */
export type Listen =
  | {
      readonly host?: string
      readonly port?: number
      /** The bearer token that peers on other machines must send. */
      readonly token?: string
      /** Additional host names of this machine, for peers on other machines. */
      readonly allowedHosts?: readonly string[]
    }
  | 'stdio'
  | ServerEnd

/** The connect option of a client actor: a URL, a command with a pipe to its standard streams, or a transport. */
export type Connect =
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly command: string
      readonly args?: readonly string[]
      readonly env?: Readonly<Record<string, string>>
      readonly cwd?: string
    }
  | ClientEnd

/** A bidirectional, line-based connection. */
export interface Pipe {
  /** The peer's lines, in order; ends when the peer disconnects. Can be read only once. */
  readonly lines: AsyncIterable<Line>
  /** Sends a line; resolves when the peer can receive more. Does nothing if the peer has disconnected. */
  send(line: string): Promise<void>
  /** The reason for a disconnect: exit code, signal, end of input. Undefined while the peer is connected. */
  ending(): string | undefined
  /** Closes the connection and ends the process behind it. Idempotent. */
  close(): Promise<void>
}

/** Opens a pipe; rejects with an `ArenaError` on failure. */
export type PipeOpen = () => Promise<Pipe>
