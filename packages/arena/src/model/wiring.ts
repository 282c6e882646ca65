/** Where actors listen and connect: as the caller says it, and as drivers get it. */
import type { HttpListen, HttpSend } from './http.ts'
import type { Pipe, PipeOpen } from './pipe.ts'

/** Where a server actor is found. */
export type ServerEnd =
  | { readonly kind: 'http'; readonly listen: HttpListen }
  /** One peer that is already there, as over standard input and output. */
  | { readonly kind: 'pipe'; readonly pipe: Pipe }

/** Where a client actor goes. */
export type ClientEnd =
  | {
      readonly kind: 'http'
      readonly url: string
      readonly headers?: Readonly<Record<string, string>>
      readonly send: HttpSend
      /** The place itself, whatever a document at the other end says about where it is. */
      readonly isFinal?: true
      /** How long an answer may take to begin, in place of the limit of the run. */
      readonly replyMs?: number
    }
  | { readonly kind: 'pipe'; readonly open: PipeOpen }

/** Where a server actor listens: an address, our own standard streams, or a transport of the caller. */
export type Listen =
  | {
      readonly host?: string
      readonly port?: number
      /** What peers from other machines have to bring: `Authorization: Bearer …`. */
      readonly token?: string
      /** More names that peers may call this machine by, where it listens to others. */
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
