/** Connections of a runtime: opened on first use, shared by all runs, closed with the runtime. */
import type { ActionSpace, McpServer, RemoteAgent } from '@joust/agentformat'
import { abortable, type Clock, startWithin } from '@joust/io'
import { messageOf, type ValueRecord } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import type { McpBinding, RemoteAgentBinding } from '../model/bindings.ts'
import type { McpConnection, McpHandlers, RemoteAgentConnection } from '../model/connection.ts'
import { RunFailure } from '../model/errors.ts'
import { runtimeLimits } from '../model/limits.ts'
import type { RuntimeOptions } from '../model/options.ts'
import type { McpUse } from '../tools/mcp-candidate.ts'
import { type AnsweringPeer, reportRefusals } from '../tools/report-refusals.ts'
import { answerElicitation, answerSampling } from '../tools/server-requests.ts'

/** Returns the host's binding for a server, by `server_ref` or alias. */
export function mcpBinding(
  { alias, server_ref }: McpServer,
  { mcpServers = {} }: RuntimeOptions,
): McpBinding | undefined {
  const key = [server_ref, alias].find((name) => name !== undefined && name !== '' && Object.hasOwn(mcpServers, name))
  return key === undefined ? undefined : mcpServers[key]
}

export function remoteBinding(
  { alias }: RemoteAgent,
  { remoteAgents = {} }: RuntimeOptions,
): RemoteAgentBinding | undefined {
  return Object.hasOwn(remoteAgents, alias) ? remoteAgents[alias] : undefined
}

interface Connection {
  isOpen?(): boolean
  refresh?(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** The agent that needs a connection. `begins` is true at the start of a run. */
type Opener = Pick<AgentContext, 'path' | 'signal' | 'emit'> & { readonly begins?: boolean }

interface Caller {
  readonly alias: string
  readonly context: AgentContext
}

interface Entry<C extends Connection = Connection> {
  readonly connection: C
  /** Agents that use the server. A request from the server is assigned to the latest. */
  readonly callers: Caller[]
}

export class ConnectionPool {
  readonly #options: RuntimeOptions
  readonly #clock: Clock
  readonly #servers = new Map<McpBinding, Promise<Entry<McpConnection>>>()
  readonly #remotes = new Map<RemoteAgentBinding, Promise<Entry<RemoteAgentConnection>>>()
  /** The last run that began to use a connection. */
  readonly #runs = new WeakMap<Connection, AbortSignal>()
  readonly #closing = new AbortController()
  /** Connections cancelled while opening, until they are closed. */
  readonly #ending = new Set<Promise<void>>()

  constructor(options: RuntimeOptions, clock: Clock) {
    this.#options = options
    this.#clock = clock
  }

  async mcp(server: McpServer, context: AgentContext): Promise<McpUse> {
    const entry = await this.#server(server, context)
    const caller = { alias: server.alias, context }
    return {
      connection: entry.connection,
      async during(work) {
        entry.callers.push(caller)
        try {
          return await reportRefusals({ peer: 'mcp', alias: server.alias }, context, work)
        } finally {
          entry.callers.splice(entry.callers.lastIndexOf(caller), 1)
        }
      },
    }
  }

  async remote(remote: RemoteAgent, context: AgentContext): Promise<RemoteAgentConnection> {
    return (await this.#remote(remote, context)).connection
  }

  /** Opens all connections; returns an error message for each failure. */
  async reach({ mcp_servers = [], remote_agents = [] }: ActionSpace, context: Opener): Promise<string[]> {
    const opener = { ...context, begins: true }
    const openings = [
      ...mcp_servers.map((server) => this.#server(server, opener)),
      ...remote_agents.map((remote) => this.#remote(remote, opener)),
    ]
    const settled = await Promise.allSettled(openings)
    return settled.flatMap((one) => (one.status === 'rejected' ? [messageOf(one.reason)] : []))
  }

  /** Closes all connections. May be called repeatedly. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the runtime was closed'))
    const entries = [...this.#servers.values(), ...this.#remotes.values()]
    this.#servers.clear()
    this.#remotes.clear()
    await Promise.allSettled(entries.map(async (entry) => (await entry).connection.close()))
    await Promise.all(this.#ending)
  }

  #server(server: McpServer, opener: Opener): Promise<Entry<McpConnection>> {
    const binding = mcpBinding(server, this.#options)
    const peer = { peer: 'mcp', alias: server.alias } as const
    return this.#share(this.#servers, binding, (bound) => this.#openServer(bound), peer, opener)
  }

  #remote(remote: RemoteAgent, opener: Opener): Promise<Entry<RemoteAgentConnection>> {
    const binding = remoteBinding(remote, this.#options)
    const peer = { peer: 'remote', alias: remote.alias } as const
    return this.#share(this.#remotes, binding, (bound) => this.#openRemote(bound), peer, opener)
  }

  /** Returns a shared entry. Lost connections are reopened; connections that fail to open are removed. */
  async #share<Binding, C extends Connection>(
    entries: Map<Binding, Promise<Entry<C>>>,
    binding: Binding | undefined,
    open: (binding: Binding) => Promise<Entry<C>>,
    peer: AnsweringPeer,
    opener: Opener,
  ): Promise<Entry<C>> {
    const subject = `${peer.peer === 'mcp' ? 'MCP server' : 'remote agent'} ${peer.alias}`
    if (binding === undefined)
      throw new RunFailure({ code: 'unmapped_server', message: `${subject} is not mapped`, agent: opener.path })
    const forget = (entry: Promise<Entry<C>>) => {
      if (entries.get(binding) === entry) entries.delete(binding)
    }
    const find = (): Promise<Entry<C>> => {
      const existing = entries.get(binding)
      if (existing !== undefined) return existing
      this.#closing.signal.throwIfAborted()
      const opening = open(binding)
      entries.set(binding, opening)
      opening.catch(() => forget(opening))
      return opening
    }
    try {
      return await reportRefusals(peer, opener, async () => {
        const pending = find()
        let entry = await abortable(opener.signal, () => pending)
        if (entry.connection.isOpen?.() === false) {
          forget(pending)
          entry.connection.close().catch(() => {})
          entry = await abortable(opener.signal, find)
        }
        if (opener.begins) await this.#refresh(entry, opener.signal)
        return entry
      })
    } catch (thrown) {
      if (opener.signal.aborted) throw thrown
      const cause = { message: messageOf(thrown) }
      const message = `${subject} is unreachable: ${cause.message}`
      const details = { reason: 'unreachable' }
      throw new RunFailure({ code: 'tool_failed', message, agent: opener.path, cause, details })
    }
  }

  /** Reloads the peer's information at the start of a new run. Runs are identified by their signal. */
  async #refresh({ connection, callers }: Entry, signal: AbortSignal): Promise<void> {
    const before = this.#runs.get(connection)
    this.#runs.set(connection, signal)
    if (before === undefined || before === signal || callers.length > 0) return
    const milliseconds = this.#options.timeouts?.connectMs ?? runtimeLimits.connectMs
    const read = async (within: AbortSignal) => connection.refresh?.(within)
    await startWithin(this.#clock, milliseconds, [signal, this.#closing.signal], read)
  }

  async #openServer(binding: McpBinding): Promise<Entry<McpConnection>> {
    const callers: Caller[] = []
    const { onSampling, onElicitation, approve } = this.#options
    const by = (answer: typeof answerSampling) => async (params: ValueRecord, signal: AbortSignal) => {
      const caller = callers.at(-1)
      // If several runs share a server, the origin of a request is unknown, and no run may answer for another.
      const isUnambiguous = callers.every(({ context }) => context.run === caller?.context.run)
      return caller === undefined || !isUnambiguous ? undefined : answer(params, caller.alias, caller.context, signal)
    }
    const handlers: McpHandlers = {
      ...((onSampling ?? approve) && { sample: by(answerSampling) }),
      ...(onElicitation && { elicit: by(answerElicitation) }),
    }
    const connection = await this.#within(binding, async (signal) => {
      if ('connect' in binding) return binding.connect(handlers)
      const { connectMcp } = await import('../connectors/mcp-connection.ts')
      return connectMcp(binding, handlers, signal)
    })
    return { connection, callers }
  }

  async #openRemote(binding: RemoteAgentBinding): Promise<Entry<RemoteAgentConnection>> {
    const connection = await this.#within(binding, async (signal) => {
      if ('connect' in binding) return binding.connect()
      const { connectRemoteAgent } = await import('../connectors/a2a.ts')
      return connectRemoteAgent(binding, signal)
    })
    return { connection, callers: [] }
  }

  /** Opens a connection with a timeout. A connection that opens after the timeout is closed immediately. */
  async #within<C extends Connection>(
    binding: McpBinding | RemoteAgentBinding,
    connect: (signal: AbortSignal) => Promise<C>,
  ): Promise<C> {
    const milliseconds = this.#options.timeouts?.connectMs ?? runtimeLimits.connectMs
    let opening: Promise<C> | undefined
    try {
      return await startWithin(this.#clock, milliseconds, [this.#closing.signal], (signal) => {
        opening = connect(signal)
        return opening
      })
    } catch (thrown) {
      const ended = opening?.then((connection) => connection.close()).catch(() => {})
      // A host's own `connect` gets no signal and may never settle; ours settles once the process has ended.
      if (ended !== undefined && !('connect' in binding)) {
        this.#ending.add(ended)
        ended.then(() => this.#ending.delete(ended))
      }
      throw thrown
    }
  }
}
