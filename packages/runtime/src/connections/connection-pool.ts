/** The connections of a runtime: opened when a run first needs them, shared by all runs, closed with the runtime. */

import type { ActionSpace, McpServer, RemoteAgent } from '@joust/agentformat'
import { abortable, type Clock, startWithin } from '@joust/io'
import type { ValueRecord } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import type { McpBinding, RemoteAgentBinding } from '../model/bindings.ts'
import type { McpConnection, McpHandlers, RemoteAgentConnection } from '../model/connection.ts'
import { messageOf, RunFailure } from '../model/errors.ts'
import { runtimeLimits } from '../model/limits.ts'
import type { RuntimeOptions } from '../model/options.ts'
import type { McpUse } from '../tools/mcp-candidate.ts'
import { type AnsweringPeer, tellingRefusals } from '../tools/refusals.ts'
import { answerElicitation, answerSampling } from '../tools/server-requests.ts'

/** The host's binding for a server: by its `server_ref`, else by its alias. */
export function mcpBinding(
  { alias, server_ref }: McpServer,
  { mcpServers = {} }: RuntimeOptions,
): McpBinding | undefined {
  const key = [server_ref, alias].find((name) => name !== undefined && name !== '' && Object.hasOwn(mcpServers, name))
  return key === undefined ? undefined : mcpServers[key]
}

/** The host's binding for a remote agent. */
export function remoteBinding(
  { alias }: RemoteAgent,
  { remoteAgents = {} }: RuntimeOptions,
): RemoteAgentBinding | undefined {
  return Object.hasOwn(remoteAgents, alias) ? remoteAgents[alias] : undefined
}

interface Connection {
  isOpen?(): boolean
  close(): Promise<void>
}

/** Who opens a connection, how long it waits, and whom it tells. */
type Opener = Pick<AgentContext, 'path' | 'signal' | 'emit'>

/** An agent that is talking to a server. */
interface Caller {
  readonly alias: string
  readonly context: AgentContext
}

interface McpEntry {
  readonly connection: McpConnection
  /** Those that talk to it now; the latest is the one that a question of the server concerns. */
  readonly callers: Caller[]
}

/** Opens, shares and closes connections. */
export class ConnectionPool {
  readonly #options: RuntimeOptions
  readonly #clock: Clock
  readonly #servers = new Map<McpBinding, Promise<McpEntry>>()
  readonly #remotes = new Map<RemoteAgentBinding, Promise<RemoteAgentConnection>>()
  /** Fires when the pool is closed. */
  readonly #closing = new AbortController()
  /** Connections that were given up while they were opened, on their way out. */
  readonly #ending = new Set<Promise<void>>()

  constructor(options: RuntimeOptions, clock: Clock) {
    this.#options = options
    this.#clock = clock
  }

  /** The connection of an agent to one of its servers. */
  async mcp(server: McpServer, context: AgentContext): Promise<McpUse> {
    const binding = mcpBinding(server, this.#options)
    if (binding === undefined) throw unmapped(`the MCP server ${server.alias}`, context)
    const entry = await this.#server(binding, server.alias, context)
    const caller = { alias: server.alias, context }
    return {
      connection: entry.connection,
      async during(work) {
        entry.callers.push(caller)
        try {
          return await tellingRefusals({ peer: 'mcp', alias: server.alias }, context, work)
        } finally {
          entry.callers.splice(entry.callers.lastIndexOf(caller), 1)
        }
      },
    }
  }

  /** The connection of an agent to a remote one. */
  async remote(remote: RemoteAgent, context: AgentContext): Promise<RemoteAgentConnection> {
    const binding = remoteBinding(remote, this.#options)
    if (binding === undefined) throw unmapped(`the remote agent ${remote.alias}`, context)
    return this.#remote(binding, remote.alias, context)
  }

  /** Opens what an action space declares; gives what cannot be reached. */
  async reach({ mcp_servers = [], remote_agents = [] }: ActionSpace, opener: Opener): Promise<string[]> {
    const openings = [
      ...mcp_servers.map((server) => {
        const binding = mcpBinding(server, this.#options)
        return binding && this.#server(binding, server.alias, opener)
      }),
      ...remote_agents.map((remote) => {
        const binding = remoteBinding(remote, this.#options)
        return binding && this.#remote(binding, remote.alias, opener)
      }),
    ]
    const settled = await Promise.allSettled(openings)
    return settled.flatMap((one) => (one.status === 'rejected' ? [messageOf(one.reason)] : []))
  }

  /** Closes everything; a second call has nothing left to do. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the runtime is closed'))
    const opening = [
      ...[...this.#servers.values()].map(async (entry) => (await entry).connection),
      ...this.#remotes.values(),
    ]
    this.#servers.clear()
    this.#remotes.clear()
    await Promise.allSettled(opening.map(async (connection) => (await connection).close()))
    await Promise.all(this.#ending)
  }

  #server(binding: McpBinding, alias: string, opener: Opener): Promise<McpEntry> {
    const open = () => this.#openServer(binding)
    return this.#share(this.#servers, binding, open, ({ connection }) => connection, { peer: 'mcp', alias }, opener)
  }

  #remote(binding: RemoteAgentBinding, alias: string, opener: Opener): Promise<RemoteAgentConnection> {
    const open = () => this.#openRemote(binding)
    return this.#share(this.#remotes, binding, open, (connection) => connection, { peer: 'remote', alias }, opener)
  }

  /** The entry of a binding. One that was lost is opened again, one that could not be opened is forgotten. */
  async #share<Binding, Entry>(
    entries: Map<Binding, Promise<Entry>>,
    binding: Binding,
    open: () => Promise<Entry>,
    connectionOf: (entry: Entry) => Connection,
    peer: AnsweringPeer,
    opener: Opener,
  ): Promise<Entry> {
    const forget = (entry: Promise<Entry>) => {
      if (entries.get(binding) === entry) entries.delete(binding)
    }
    const find = (): Promise<Entry> => {
      const known = entries.get(binding)
      if (known !== undefined) return known
      this.#closing.signal.throwIfAborted()
      const opening = open()
      entries.set(binding, opening)
      opening.catch(() => forget(opening))
      return opening
    }
    try {
      return await tellingRefusals(peer, opener, async () => {
        const found = find()
        const entry = await abortable(opener.signal, () => found)
        const connection = connectionOf(entry)
        if (connection.isOpen?.() !== false) return entry
        forget(found)
        connection.close().catch(() => {})
        return abortable(opener.signal, find)
      })
    } catch (thrown) {
      if (opener.signal.aborted) throw thrown
      const cause = { message: messageOf(thrown) }
      const what = peer.peer === 'mcp' ? 'the MCP server' : 'the remote agent'
      const message = `${what} ${peer.alias} is mapped, but cannot be reached: ${cause.message}`
      throw new RunFailure({ code: 'tool_failed', message, agent: opener.path, cause })
    }
  }

  async #openServer(binding: McpBinding): Promise<McpEntry> {
    const callers: Caller[] = []
    const handlers: McpHandlers = {
      sample: (params, signal) => this.#answer(callers, answerSampling, params, signal),
      elicit: (params, signal) => this.#answer(callers, answerElicitation, params, signal),
    }
    const connection = await this.#within(binding, async (signal) => {
      if ('connect' in binding) return binding.connect(handlers)
      const { connectMcp } = await import('../connectors/mcp.ts')
      return connectMcp(binding, handlers, signal)
    })
    return { connection, callers }
  }

  async #answer(callers: readonly Caller[], answer: typeof answerSampling, params: ValueRecord, signal: AbortSignal) {
    const caller = callers.at(-1)
    // With several runs talking to the server, nobody can say whose question it is, and no run answers for another.
    const isClear = callers.every(({ context }) => context.run === caller?.context.run)
    return caller === undefined || !isClear ? undefined : answer(params, caller.alias, caller.context, signal)
  }

  #openRemote(binding: RemoteAgentBinding): Promise<RemoteAgentConnection> {
    return this.#within(binding, async (signal) => {
      if ('connect' in binding) return binding.connect()
      const { connectRemoteAgent } = await import('../connectors/a2a.ts')
      return connectRemoteAgent(binding, signal)
    })
  }

  /** Waits for a connection no longer than the time for it; one that comes later is closed at once. */
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
      // A host's own `connect` hears no signal and may never end; ours ends, and then its process is gone.
      if (ended !== undefined && !('connect' in binding)) this.#awaitEnd(ended)
      throw thrown
    }
  }

  #awaitEnd(ended: Promise<void>): void {
    this.#ending.add(ended)
    ended.then(() => this.#ending.delete(ended))
  }
}

function unmapped(what: string, context: AgentContext): RunFailure {
  return new RunFailure({ code: 'unmapped_server', message: `${what} is not mapped`, agent: context.path })
}
