/** An agent that is already running, at the addresses where it is served. */

import { connect } from 'node:net'
import { childEnvironment, openRunFolders } from '@joust/io'
import { defined } from '@joust/source'
import { diagnostic } from '../model/diagnostics.ts'
import { ArenaError } from '../model/errors.ts'
import type { HttpSend } from '../model/http.ts'
import { arenaLimits } from '../model/limits.ts'
import type { ClientActor, Target, TargetArena, TargetSession } from '../model/target.ts'
import type { ClientMode, Connect } from '../model/wiring.ts'
import { createHttpSend } from '../transport/http-client.ts'
import { reasonOf } from '../transport/streams.ts'
import { sendToEither } from './endpoint/a2a-modern.ts'
import { askAgent, type StimulusProtocol } from './endpoint/stimulus.ts'
import { DEFAULT_PROMPT, promptLine } from './front-door/request.ts'
import { atGateway, unknownServers } from './gateway/seat.ts'
import type { Gateway } from './gateway.ts'

/** An address, and the headers that go with every request to it. */
export interface Endpoint {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A command that speaks MCP over its standard streams. */
export interface CommandEndpoint {
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The folder that it runs in; by default, that of this process. */
  readonly cwd?: string
}

/** Where the agent is served, by protocol. */
export interface EndpointTargetOptions {
  readonly ag_ui?: Endpoint
  readonly a2a?: Endpoint
  readonly mcp?: Endpoint | CommandEndpoint
  /** Variables of this process that a command gets besides `PATH` and the locale. */
  readonly passEnv?: readonly string[]
  /** Whether a command runs in the user's own home rather than in an empty one. */
  readonly useHome?: boolean
  /** Where variables are taken from; by default, the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** What the agent is asked, over AG-UI or else A2A, when the document has no client actor. */
  readonly prompt?: string
  /** Where the agent finds server actors; without a gateway they listen where the run puts them. */
  readonly gateway?: Gateway
  /** Whether the agent knows where a server actor listens; by default, it does. With a gateway it always does. */
  readonly knows?: (actor: string) => boolean
  /** How requests to addresses are sent; by default, over sockets. */
  readonly send?: HttpSend
  /** Whether somebody must be listening at an address before the attack begins; default true. */
  readonly preflight?: boolean
}

const protocols: Readonly<Record<string, 'ag_ui' | 'a2a' | 'mcp'>> = {
  ag_ui_client: 'ag_ui',
  a2a_client: 'a2a',
  mcp_client: 'mcp',
} satisfies Record<ClientMode, 'ag_ui' | 'a2a' | 'mcp'>

/** A running agent as a target. Where no client actor needs it and no user can ask it, it has to connect on its own. */
export function endpointTarget(options: EndpointTargetOptions): Target {
  const { ag_ui, a2a, mcp } = options
  const places = Object.entries({ ag_ui, a2a, mcp }).flatMap(([name, end]) =>
    end === undefined ? [] : [`${name}=${placeOf(end)}`],
  )
  const { gateway, knows } = options
  const seat = gateway?.seat()
  return {
    name: places.join(' '),
    ...(seat && { listen: seat.listen }),
    // The control's server has to be in the agent's configuration.
    ...(userOf(options) && { control: seat === undefined ? 'answer' : 'tool_call' }),
    lacks: ({ clients, servers }) => [
      ...clients.flatMap((client) => lackOf(client, options)),
      ...(seat === undefined ? unknownServers(servers, knows) : []),
    ],
    start: async (arena) => atGateway(seat, await reachEndpoints(withHeaders(options, seat?.headers), arena)),
  }
}

function withHeaders(options: EndpointTargetOptions, headers = {}): EndpointTargetOptions {
  const more = (end: Endpoint | undefined) => end && { ...end, headers: { ...end.headers, ...headers } }
  const { ag_ui, a2a, mcp, ...rest } = options
  const ends = { ag_ui: more(ag_ui), a2a: more(a2a), mcp: mcp && 'url' in mcp ? more(mcp) : mcp }
  return { ...rest, ...defined(ends) }
}

async function reachEndpoints(options: EndpointTargetOptions, arena: TargetArena): Promise<TargetSession> {
  const { servers, clients, signal } = arena
  const needed = clients.flatMap((client) => {
    const found = endpointFor(client, options)
    return found === undefined ? [] : [{ client, ...found }]
  })
  const asking = clients.length > 0 ? undefined : userOf(options)
  const checks = new Map<string, Endpoint | CommandEndpoint>(needed.map(({ protocol, end }) => [protocol, end]))
  if (asking !== undefined) checks.set(asking.protocol, asking.end)
  const { prompt = DEFAULT_PROMPT, send, preflight = true } = options
  if (preflight) await reachSome(checks)
  const folders = needed.some(({ end }) => 'command' in end) ? await openRunFolders(options.useHome) : undefined
  let said = ''
  let spoken: string | undefined
  const sendA2a = sendToEither(send ?? createHttpSend(), (what) => {
    spoken = what
  })
  const sendBy = (protocol: string) => (protocol === 'a2a' ? sendA2a : send)
  const ask = async (way: NonNullable<typeof asking>) => {
    const setting = { signal, send: sendBy(way.protocol), replyMs: arena.replyMs }
    said = await askAgent(way.protocol, way.end, prompt, setting)
  }
  const env = { ...childEnvironment(options.passEnv, options.environment), ...folders?.env }
  return {
    endpoints: Object.fromEntries(
      needed.map(({ client, protocol, end }): [string, Connect] => [
        client.actor,
        connectTo(end, sendBy(protocol), env),
      ]),
    ),
    wiring: [
      ...servers.map(({ actor, mode, address }) => {
        return `actor ${actor} (${mode}) listens at ${address}, where the agent has to find it`
      }),
      ...needed.map(({ client, end }) => `actor ${client.actor} (${client.mode}) → the agent at ${placeOf(end)}`),
      ...(asking === undefined ? [] : [promptLine(prompt, `at ${placeOf(asking.end)} `)]),
      ...(asking === undefined && needed.length === 0 ? [NOBODY] : []),
    ],
    ...(asking === undefined ? {} : { turn: () => ask(asking), output: () => said }),
    notes: () => (spoken === undefined ? [] : [diagnostic('prompt-changed', translated(spoken))]),
    stop: async () => folders?.remove(),
  }
}

function translated(spoken: string): string {
  return `the agent speaks A2A ${spoken} only: what was said to it was translated from 0.3 over JSON-RPC, and its answers back`
}

function endpointFor({ mode }: ClientActor, options: EndpointTargetOptions) {
  const protocol = protocols[mode]
  const end = protocol === undefined ? undefined : options[protocol]
  return protocol === undefined || end === undefined ? undefined : { protocol, end }
}

function lackOf(client: ClientActor, options: EndpointTargetOptions): string[] {
  if (endpointFor(client, options) !== undefined) return []
  const { actor, mode } = client
  const protocol = protocols[mode]
  const mend = protocol === undefined ? 'no endpoint can answer it' : `give ${protocol}=URL`
  return [`the attack has the ${mode} actor ${actor}; ${mend}`]
}

/** How a user would ask. */
function userOf({ ag_ui, a2a }: EndpointTargetOptions) {
  const as = (protocol: StimulusProtocol, end: Endpoint | undefined) =>
    end === undefined ? undefined : { protocol, end }
  return as('ag_ui', ag_ui) ?? as('a2a', a2a)
}

function connectTo(
  end: Endpoint | CommandEndpoint,
  send: HttpSend | undefined,
  env: Readonly<Record<string, string>>,
): Connect {
  if ('command' in end) return { ...end, env: { ...env, ...end.env } }
  return 'url' in end && send !== undefined ? { kind: 'http', ...end, send } : end
}

/**
 * Rejects when nobody listens at any of the addresses. Where somebody does, clients of the other addresses report
 * failures themselves.
 */
async function reachSome(ends: ReadonlyMap<string, Endpoint | CommandEndpoint>): Promise<void> {
  const faults = await Promise.all(
    [...ends].map(async ([protocol, end]) => {
      const fault = 'url' in end ? await unreachable(end.url) : undefined
      return fault === undefined ? undefined : `${protocol} endpoint not reachable: ${fault}`
    }),
  )
  const told = faults.filter((fault) => fault !== undefined)
  if (told.length > 0 && told.length === faults.length) throw new ArenaError('connect_failed', told.join('; '))
}

const NOBODY = 'no client actor, and no ag_ui or a2a endpoint to ask: the agent has to connect by itself'

/** Without user and password, query and fragment: they may hold secrets. */
function placeOf(end: Endpoint | CommandEndpoint): string {
  if (!('url' in end)) return end.command
  if (!URL.canParse(end.url)) return 'an invalid address'
  const { origin, pathname } = new URL(end.url)
  return `${origin}${pathname}`
}

/** Why nothing can be reached at a URL; undefined when a connection is accepted. Never rejects, bounded. */
async function unreachable(url: string): Promise<string | undefined> {
  const { protocol, hostname, port } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '', port: '' }
  if (protocol !== 'http:' && protocol !== 'https:') return `${JSON.stringify(url)} is not an http or https address`
  const host = hostname.replace(/^\[|\]$/g, '')
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
  return new Promise((resolve) => {
    const socket = connect({ host, port: number })
    const end = (fault?: string) => {
      socket.destroy()
      resolve(fault === undefined ? undefined : `${fault} at ${hostname}:${number}`)
    }
    socket.setTimeout(arenaLimits.endpointMs, () => end(`no answer within ${arenaLimits.endpointMs / 1000} s`))
    socket.once('connect', () => end())
    // Stays: a socket may fail again.
    socket.on('error', (error) => end(describe(error)))
  })
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
}

function describe(error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  return reasons[code] ?? reasonOf(error)
}
