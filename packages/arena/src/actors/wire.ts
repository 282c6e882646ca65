/** From options to ends: where each actor listens or connects, and which other addresses its document may reach. */

import { isLoopback } from '@joust/io'
import type { Actor } from '@joust/oatf'
import { own, type ValueRecord } from '@joust/source'
import { ArenaError } from '../model/errors.ts'
import type { HttpSend } from '../model/http.ts'
import type { AttackOptions } from '../model/options.ts'
import type { ClientEnd, Connect, Listen, ServerEnd } from '../model/wiring.ts'
import { spawnPipe } from '../transport/child-process.ts'
import { createHttpSend } from '../transport/http-client.ts'
import { type HttpServerOptions, listenHttp } from '../transport/http-server.ts'
import { stdioPipe } from '../transport/stdio.ts'
import type { RunContext } from './context.ts'

/** Where a server actor listens: any free port of the loopback interface by default. */
export function serverEnd(
  { options, limits: { messageBytes } }: RunContext,
  actor: Actor,
  watch: Pick<HttpServerOptions, 'onGarbage' | 'onRefused' | 'onDefect'>,
): ServerEnd {
  const listen: Listen = byActor(options.listen, actor.name) ?? options.target?.listen?.(actor.name, actor.mode) ?? {}
  if (listen === 'stdio') return { kind: 'pipe', pipe: stdioPipe({ maxLineBytes: messageBytes }) }
  if ('kind' in listen) return listen
  return { kind: 'http', listen: listenHttp({ ...listen, ...watch, maxBodyBytes: messageBytes }) }
}

/** Whether the caller says where a client actor connects, so that the target need not. */
export function isConnected(actor: Actor, { wire, connect }: AttackOptions): boolean {
  return byActor(wire, actor.name) !== undefined || byActor(connect, actor.name) !== undefined
}

/** Whether an actor has a peer other than the target: the caller connects it, or another actor is wired to it. */
export function isWired(actor: Actor, options: AttackOptions): boolean {
  return isConnected(actor, options) || Object.values(options.wire ?? {}).includes(actor.name)
}

/** Where a client actor connects; an `ArenaError` when nothing says where. */
export function clientEnd(
  { options, limits, stop }: RunContext,
  actor: Actor,
  servers: ReadonlyMap<string, string>,
  endpoints: Readonly<Record<string, Connect>>,
): ClientEnd | ArenaError {
  const wired = byActor(options.wire, actor.name)
  if (wired !== undefined) {
    const url = servers.get(wired)
    if (url === undefined)
      return new ArenaError('not_wired', `${actor.name} is wired to ${wired}, which is not a server of this document`)
    return { kind: 'http', url, send: sendUntil(stop.signal), isFinal: true }
  }
  const connect = byActor(options.connect, actor.name) ?? byActor(endpoints, actor.name)
  if (connect === undefined) {
    return new ArenaError(
      'not_wired',
      `${actor.name} (${actor.mode}) has nothing to connect to: give a target, connect or wire`,
    )
  }
  if ('kind' in connect) return connect
  if ('url' in connect) return { ...connect, kind: 'http', send: createHttpSend() }
  return { kind: 'pipe', open: spawnPipe({ ...connect, maxLineBytes: limits.messageBytes }) }
}

/** Sends to a server of the same run: once the run is over, nobody is there to receive a goodbye. */
function sendUntil(over: AbortSignal): HttpSend {
  const send = createHttpSend()
  return async (call) => {
    if (over.aborted) throw new ArenaError('stopped', `${call.url} was not reached: the run is over`)
    return send(call)
  }
}

function byActor<T>(record: Readonly<Record<string, T>> | undefined, actor: string): T | undefined {
  // Own properties only: an actor may be called anything.
  return record === undefined ? undefined : (own(record as ValueRecord, actor) as T | undefined)
}

/** Whether a document may reach an address on its own: loopback, and what the caller named. No name is resolved. */
export function isAllowedHost(url: string, allowed: readonly string[] = []): boolean {
  return isNamedHost(url, allowed) || (isHttp(url) && isLoopback(new URL(url).hostname))
}

/** Whether the caller has named the host of an address: loopback alone is not enough. */
export function isNamedHost(url: string, allowed: readonly string[] = []): boolean {
  if (!isHttp(url)) return false
  const { protocol, hostname, host, port } = new URL(url)
  const withPort = port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host
  return allowed.some((entry) => [hostname, host, withPort].includes(entry.toLowerCase()))
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
