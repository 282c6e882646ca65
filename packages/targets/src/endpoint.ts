/** A target that is already running, reached at one URL per protocol. */

import type { ClientActor, ClientMode, Connect, Target, TargetArena, TargetSession } from '@joust/arena'
import { ArenaError, type ClientMessage, finalAnswer } from '@joust/arena'
import { createHttpSend, type HttpSend } from '@joust/arena/wire'
import { childEnvironment, openRunFolders } from '@joust/io'
import { diagnostic } from '@joust/results'
import { defined } from '@joust/source'
import { DEFAULT_PROMPT, promptLine } from './chat/request.ts'
import { sendToEither } from './endpoint/a2a-modern.ts'
import { unreachable } from './endpoint/reach.ts'
import { askAgain, askAgent, repeatTo, type StimulusProtocol } from './endpoint/stimulus.ts'
import { unknownServers, withGatewayFaults } from './gateway/gateway-run.ts'
import type { Gateway } from './gateway.ts'
import { type OpenModel, type OpenModelAccess, withOpenModel } from './models/access.ts'

/** A URL and the headers to send with every request. */
export interface Endpoint {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A command that runs an MCP server on standard input and output. */
export interface CommandEndpoint {
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** @default the working directory of this process */
  readonly cwd?: string
}

/**
 * Options for `endpointTarget`: the agent's URLs by protocol.
 *
 * @example
 * const target = endpointTarget({ a2a: { url: 'http://127.0.0.1:9000' }, knows: (actor) => actor === 'files' })
 */
export interface EndpointTargetOptions {
  /** URL of the agent's AG-UI endpoint. @default none */
  readonly ag_ui?: Endpoint
  /** URL of the A2A agent. @default none */
  readonly a2a?: Endpoint
  /** URL or command of the agent's MCP server. @default none */
  readonly mcp?: Endpoint | CommandEndpoint
  /**
   * Environment variables passed to a command in addition to `PATH` and the locale.
   *
   * @default none
   * @example ['ANTHROPIC_API_KEY']
   */
  readonly passEnv?: readonly string[]
  /** Runs a command in the user's home directory instead of an empty one. @default false */
  readonly useHome?: boolean
  /** The environment from which variables are passed on. @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** The prompt without a client actor, over AG-UI or else A2A. @default a general request to use the tools */
  readonly prompt?: string
  /** Opens model access for a run, at a fixed address. @default none */
  readonly openModel?: OpenModelAccess
  /** The gateway where server actors listen. @default addresses chosen by the run */
  readonly gateway?: Gateway
  /** True if the agent knows the address of a server actor; ignored with a gateway. @default () => true */
  readonly knows?: (actor: string) => boolean
  /** Sends HTTP requests. @default over sockets */
  readonly send?: HttpSend
  /** Checks before the attack that the URL accepts connections. @default true */
  readonly preflight?: boolean
}

const protocols: Readonly<Record<string, 'ag_ui' | 'a2a' | 'mcp'>> = {
  ag_ui_client: 'ag_ui',
  a2a_client: 'a2a',
  mcp_client: 'mcp',
} satisfies Record<ClientMode, 'ag_ui' | 'a2a' | 'mcp'>

/**
 * Creates a target from a running agent. Without a client actor and an endpoint for prompts, the agent must connect by
 * itself.
 *
 * @example
 * const target = endpointTarget({ ag_ui: { url: 'http://127.0.0.1:8000/agent' } })
 */
export function endpointTarget(options: EndpointTargetOptions): Target {
  const { ag_ui, a2a, mcp } = options
  const places = Object.entries({ ag_ui, a2a, mcp }).flatMap(([name, end]) =>
    end === undefined ? [] : [`${name}=${placeOf(end)}`],
  )
  const { gateway, knows } = options
  const run = gateway?.openRun()
  return {
    name: places.join(' '),
    kind: 'endpoint',
    prompt: options.prompt,
    ...(run && { listen: run.listen }),
    // The preflight server must be in the agent's configuration.
    ...(userOf(options) && { preflight: run === undefined ? 'answer' : 'tool_call' }),
    lacks: ({ clients, servers }) => [
      ...clients.flatMap((client) => lackOf(client, options)),
      ...(run === undefined ? unknownServers(servers, knows) : []),
    ],
    start: async (arena) => {
      const ends = withHeaders(options, run?.headers)
      const reach = (model?: OpenModel) => reachEndpoints(withModel(ends, model), arena)
      const session = await withOpenModel(options.openModel, arena, reach)
      return withGatewayFaults(run, isServerAlone(options, arena) ? unobserved(session) : session)
    },
  }
}

function withHeaders(options: EndpointTargetOptions, headers = {}): EndpointTargetOptions {
  const more = (end: Endpoint | undefined) => end && { ...end, headers: { ...end.headers, ...headers } }
  const { ag_ui, a2a, mcp, ...rest } = options
  const ends = { ag_ui: more(ag_ui), a2a: more(a2a), mcp: mcp && 'url' in mcp ? more(mcp) : mcp }
  return { ...rest, ...defined(ends) }
}

/** Passes the URL of the model proxy to a command, in its environment and in place of `{model_url}`. */
function withModel(options: EndpointTargetOptions, model: OpenModel | undefined): EndpointTargetOptions {
  const { mcp } = options
  if (model === undefined || mcp === undefined || 'url' in mcp) return options
  const args = mcp.args?.map((arg) => arg.replaceAll('{model_url}', model.url))
  return { ...options, mcp: { ...mcp, ...defined({ args }), env: { ...mcp.env, ...model.env } } }
}

/** True for an attack on an MCP server, which may have no model and is judged only by its results. */
function isServerAlone(options: EndpointTargetOptions, { clients }: TargetArena): boolean {
  const protocols = clients.map((client) => endpointFor(client, options)?.protocol)
  return protocols.length > 0 && protocols.every((protocol) => protocol === 'mcp')
}

/** Removes the observation: model calls are counted and recorded, but are not evidence about the attack. */
function unobserved({ observation: _, ...session }: TargetSession): TargetSession {
  return session
}

async function reachEndpoints(options: EndpointTargetOptions, arena: TargetArena): Promise<TargetSession> {
  const { servers, clients, signal } = arena
  const needed = clients.flatMap((client) => {
    const endpoint = endpointFor(client, options)
    return endpoint === undefined ? [] : [{ client, ...endpoint }]
  })
  const chat = clients.length > 0 ? undefined : userOf(options)
  const checks = new Map<string, Endpoint | CommandEndpoint>(needed.map(({ protocol, end }) => [protocol, end]))
  if (chat !== undefined) checks.set(chat.protocol, chat.end)
  const { prompt = DEFAULT_PROMPT, send, preflight = true } = options
  if (preflight) await reachSome(checks)
  const folders = needed.some(({ end }) => 'command' in end) ? await openRunFolders(options.useHome) : undefined
  let clientMessages: readonly ClientMessage[] = []
  let a2aVersion: string | undefined
  const sendA2a = sendToEither(send ?? createHttpSend(), (version) => {
    a2aVersion = version
  })
  const sendBy = (protocol: string) => (protocol === 'a2a' ? sendA2a : send)
  const stimulus = (protocol: StimulusProtocol) => ({ signal, send: sendBy(protocol), replyMs: arena.replyMs })
  const ask = async ({ protocol, end }: NonNullable<typeof chat>) => {
    clientMessages = await askAgent(protocol, end, prompt, stimulus(protocol))
  }
  const messagesOf = (trace: readonly ClientMessage[]) => (chat === undefined ? trace : clientMessages)
  const isServer = needed.length > 0 && needed.every(({ protocol }) => protocol === 'mcp')
  const env = { ...childEnvironment(options.passEnv, options.environment), ...folders?.env }
  const connections = needed.map(({ client, protocol, end }) => {
    return [client.actor, connectTo(end, sendBy(protocol), env)] as const
  })
  return {
    endpoints: Object.fromEntries(connections),
    wiring: [
      ...servers.map(({ actor, mode, address }) => {
        return `actor ${actor} (${mode}) listens at ${address}, which the agent must know`
      }),
      ...needed.map(({ client, end }) => `actor ${client.actor} (${client.mode}) → the agent at ${placeOf(end)}`),
      ...(chat === undefined ? [] : [promptLine(prompt, `at ${placeOf(chat.end)} `)]),
      ...(chat === undefined && needed.length === 0 ? [NO_ENDPOINT] : []),
    ],
    ...(chat === undefined ? {} : { turn: () => ask(chat), output: () => finalAnswer(clientMessages) ?? '' }),
    ask: (question, trace) => askAgain(options, question, messagesOf(trace), stimulus),
    repeat: (addition, trace) => repeatTo(options, addition, messagesOf(trace), stimulus),
    ...(isServer && { isServer }),
    notes: () => (a2aVersion === undefined ? [] : [diagnostic('prompt-changed', translated(a2aVersion))]),
    stop: async () => folders?.remove(),
  }
}

function translated(version: string): string {
  return `the agent supports only A2A ${version}: requests were translated from 0.3 over JSON-RPC, and responses back`
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
  const hint = protocol === undefined ? 'no endpoint supports this mode' : `set ${protocol}=URL`
  return [`the attack has the ${mode} actor ${actor}: ${hint}`]
}

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

/** Rejects if no URL is reachable. Otherwise, clients of unreachable URLs report their own failures. */
async function reachSome(ends: ReadonlyMap<string, Endpoint | CommandEndpoint>): Promise<void> {
  const faults = await Promise.all(
    [...ends].map(async ([protocol, end]) => {
      const fault = 'url' in end ? await unreachable(end.url) : undefined
      return fault === undefined ? undefined : `${protocol} endpoint not reachable: ${fault}`
    }),
  )
  const failures = faults.filter((fault) => fault !== undefined)
  if (failures.length > 0 && failures.length === faults.length)
    throw new ArenaError('connect_failed', failures.join('; '))
}

const NO_ENDPOINT = 'no client actor, and no ag_ui or a2a endpoint for a prompt: the agent must connect by itself'

/** Describes an endpoint without credentials, query and fragment, which may contain secrets. */
function placeOf(end: Endpoint | CommandEndpoint): string {
  if (!('url' in end)) return end.command
  if (!URL.canParse(end.url)) return 'an invalid address'
  const { origin, pathname } = new URL(end.url)
  return `${origin}${pathname}`
}
