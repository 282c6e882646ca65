/** Where actors listen and connect: as the caller states it, and as drivers get it. */

import type { Line } from '@joust/io'
import type { KnownMode } from '@joust/oatf'
import type { HttpListen, HttpSend } from './http.ts'

/** The modes in which an actor is a client of the target, or a server; tables of them say `satisfies`. */
export type ClientMode = Extract<KnownMode, `${string}_client`>
export type ServerMode = Extract<KnownMode, `${string}_server`>

/** Where a server actor is found. */
export type ServerEnd =
  | { readonly kind: 'http'; readonly listen: HttpListen }
  /** One peer that is already there, as over standard input and output. */
  | { readonly kind: 'pipe'; readonly pipe: Pipe }

/** Where a client actor goes over HTTP. */
export interface HttpClientEnd {
  readonly kind: 'http'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly send: HttpSend
  /** The address itself, whatever a document at the other end says about where it is. */
  readonly isFinal?: true
  /** How long an answer may take to begin, in place of the limit of the run. */
  readonly replyMs?: number
}

/** Where a client actor goes. */
export type ClientEnd = HttpClientEnd | { readonly kind: 'pipe'; readonly open: PipeOpen }

/** Where a server actor listens: an address, our own standard streams, or a transport of the caller. */
export type Listen =
  | {
      readonly host?: string
      readonly port?: number
      /** What peers on other machines have to send: `Authorization: Bearer …`. */
      readonly token?: string
      /** More names by which peers may address this machine, where it listens to others. */
      readonly allowedHosts?: readonly string[]
    }
  | 'stdio'
  | ServerEnd

/** Where a client actor connects: an address, a command that speaks over its standard streams, or a transport. */
export type Connect =
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly command: string
      readonly args?: readonly string[]
      readonly env?: Readonly<Record<string, string>>
      readonly cwd?: string
    }
  | ClientEnd

/** Both directions of a connection. */
export interface Pipe {
  /** The lines of the peer, in order; ends when the peer is gone. To be read once. */
  readonly lines: AsyncIterable<Line>
  /** Sends text as it is, with a line break; resolves when the peer can take more. Does nothing when it is gone. */
  send(line: string): Promise<void>
  /** Why the peer is gone, for messages: exit code, signal, end of input. Undefined while it is there. */
  ending(): string | undefined
  /** Ends the connection and the process behind it. Can be called again. */
  close(): Promise<void>
}

/** Opens a pipe; rejects with an `ArenaError` when there is nothing at the other end. */
export type PipeOpen = () => Promise<Pipe>
