/** Resolves the run options to endpoints for each actor, and checks which hosts are allowed. */

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

/** Listens on a free loopback port by default. */
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

export function isConnected(actor: Actor, { wire, connect }: AttackOptions): boolean {
  return byActor(wire, actor.name) !== undefined || byActor(connect, actor.name) !== undefined
}

/** True if the peer of an actor is not the target: the caller connects it, or another actor is wired to it. */
export function isWired(actor: Actor, options: AttackOptions): boolean {
  return isConnected(actor, options) || Object.values(options.wire ?? {}).includes(actor.name)
}

/** Returns an `ArenaError` if the actor has no endpoint. */
export function clientEnd(
  { options, limits, stop }: RunContext,
  actor: Actor,
  servers: ReadonlyMap<string, string>,
  endpoints: Readonly<Record<string, Connect>>,
): ClientEnd | ArenaError {
  const wired = byActor(options.wire, actor.name)
  if (wired !== undefined) {
    const url = servers.get(wired)
    const fault = `${actor.name} is wired to ${wired}, which is not a server actor of this document`
    if (url === undefined) return new ArenaError('not_wired', fault)
    return { kind: 'http', url, send: sendUntil(stop.signal), isFinal: true }
  }
  const connect = byActor(options.connect, actor.name) ?? byActor(endpoints, actor.name)
  if (connect === undefined)
    return new ArenaError('not_wired', `${actor.name} (${actor.mode}) has no endpoint: set target, connect or wire`)
  if ('kind' in connect) return connect
  if ('url' in connect) return { ...connect, kind: 'http', send: createHttpSend() }
  return { kind: 'pipe', open: spawnPipe({ ...connect, maxLineBytes: limits.messageBytes }) }
}

function sendUntil(over: AbortSignal): HttpSend {
  const send = createHttpSend()
  return async (call) => {
    if (over.aborted) throw new ArenaError('stopped', `no request was sent to ${call.url}: the run has ended`)
    return send(call)
  }
}

function byActor<T>(record: Readonly<Record<string, T>> | undefined, actor: string): T | undefined {
  // Own properties only, since an actor may have any name.
  return record === undefined ? undefined : (own(record as ValueRecord, actor) as T | undefined)
}

/** True for a loopback URL or an allowed host. Host names are not resolved. */
export function isAllowedHost(url: string, allowed: readonly string[] = []): boolean {
  return isNamedHost(url, allowed) || (isHttp(url) && isLoopback(new URL(url).hostname))
}

/** True for a host that the caller listed; loopback hosts must be listed too. */
export function isNamedHost(url: string, allowed: readonly string[] = []): boolean {
  if (!isHttp(url)) return false
  const { protocol, hostname, host, port } = new URL(url)
  const withPort = port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host
  return allowed.some((entry) => [hostname, host, withPort].includes(entry.toLowerCase()))
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
