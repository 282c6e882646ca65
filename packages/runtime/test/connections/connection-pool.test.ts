import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deferred, systemClock } from '@joust/io'
import { describe, expect, it, vi } from 'vitest'
import { ConnectionPool, mcpBinding } from '../../src/connections/connection-pool.ts'
import type { McpConnection, McpHandlers } from '../../src/model/connection.ts'
import type { RuntimeOptions } from '../../src/model/options.ts'
import { fakeClock } from '../support/clock.ts'
import { testContext } from '../support/context.ts'
import { isAlive } from '../support/mcp.ts'

function server(parts: Partial<McpConnection> = {}) {
  const log: string[] = []
  const connection: McpConnection = {
    listTools: async () => [],
    callTool: async () => ({ content: null, isError: false }),
    close: async () => void log.push('closed'),
    ...parts,
  }
  let handlers: McpHandlers | undefined
  const binding = {
    async connect(given: McpHandlers) {
      log.push('opened')
      handlers = given
      return connection
    },
  }
  return { log, binding, connection, handlers: () => handlers }
}

const files = { alias: 'files' }

function pooled(options: RuntimeOptions) {
  const time = fakeClock()
  return { pool: new ConnectionPool(options, time), time }
}

describe('connections', () => {
  it('are opened once, shared, and closed once', async () => {
    const { log, binding } = server()
    const { pool } = pooled({ mcpServers: { files: binding } })
    const { context } = testContext()
    const uses = await Promise.all([pool.mcp(files, context), pool.mcp(files, context), pool.mcp(files, context)])
    expect(new Set(uses.map((use) => use.connection)).size).toBe(1)
    await pool.close()
    await pool.close()
    expect(log).toEqual(['opened', 'closed'])
    await expect(pool.mcp(files, context)).rejects.toMatchObject({
      error: {
        code: 'tool_failed',
        message: 'MCP server files is unreachable: the runtime was closed',
      },
    })
  })

  it('that were lost are closed and reopened', async () => {
    let open = true
    const { log, binding } = server({ isOpen: () => open })
    const { pool } = pooled({ mcpServers: { files: binding } })
    const { context } = testContext()
    await pool.mcp(files, context)
    open = false
    await pool.mcp(files, context)
    expect(log).toEqual(['opened', 'closed', 'opened'])
  })

  it('that fail are reported with their alias and retried by the next run', async () => {
    let tries = 0
    const { connection } = server()
    const connect = async () => {
      if (++tries === 1) throw new Error('refused')
      return connection
    }
    const { pool } = pooled({ mcpServers: { files: { connect } } })
    const { context } = testContext({ path: ['a'] })
    await expect(pool.mcp(files, context)).rejects.toMatchObject({
      error: {
        code: 'tool_failed',
        message: 'MCP server files is unreachable: refused',
        agent: ['a'],
        cause: { message: 'refused' },
      },
    })
    expect((await pool.mcp(files, context)).connection).toBe(connection)
  })

  it('that time out are closed when they open later', async () => {
    const late = deferred()
    const { connection, log } = server()
    const connect = async () => {
      await late.promise
      return connection
    }
    const { pool, time } = pooled({ mcpServers: { files: { connect } }, timeouts: { connectMs: 1000 } })
    const pending = pool.mcp(files, testContext().context)
    queueMicrotask(() => time.advance(1000))
    await expect(pending).rejects.toMatchObject({
      error: { message: 'MCP server files is unreachable: no answer within 1 seconds' },
    })
    late.resolve()
    await new Promise(setImmediate)
    expect(log).toEqual(['closed'])
  })

  it('do not block a cancelled run', async () => {
    const { pool } = pooled({ mcpServers: { files: { connect: () => new Promise(() => {}) } } })
    const { context, cancel } = testContext()
    const pending = pool.mcp(files, context)
    cancel.abort(new Error('enough'))
    await expect(pending).rejects.toThrow('enough')
  })

  it('that are opening do not block closing, and are closed when they open later', async () => {
    const late = deferred()
    const { connection, log } = server()
    const connect = async () => {
      await late.promise
      return connection
    }
    const { pool, time } = pooled({ mcpServers: { files: { connect } } })
    const pending = pool.mcp(files, testContext().context)
    const refused = expect(pending).rejects.toThrow('is unreachable: the runtime was closed')
    await pool.close()
    await refused
    expect(time.waiting()).toBe(0)
    late.resolve()
    await new Promise(setImmediate)
    expect(log).toEqual(['closed'])
  })

  it('a process that does not answer has ended when the pool is closed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'joust-'))
    const note = join(folder, 'pid')
    const silent = 'fs.writeFileSync(process.argv[1], String(process.pid)); process.stdin.resume()'
    const binding = { command: process.execPath, args: ['-e', silent, note] }
    const pool = new ConnectionPool({ mcpServers: { files: binding } }, systemClock)
    const pending = pool.mcp(files, testContext().context)
    const refused = expect(pending).rejects.toThrow('the runtime was closed')
    const pidOf = async () => Number(await readFile(note, 'utf8').catch(() => ''))
    const pid = await vi.waitUntil(pidOf, { timeout: 10_000 })
    expect(isAlive(pid)).toBe(true)
    await pool.close()
    expect(isAlive(pid)).toBe(false)
    await refused
    await rm(folder, { recursive: true })
  })

  it('are refreshed once when another run starts and no call is running', async () => {
    const log: string[] = []
    const refresh = async () => void log.push('again')
    const { connection } = server()
    const { pool } = pooled({ mcpServers: { files: { connect: async () => ({ ...connection, refresh }) } } })
    const space = { mcp_servers: [files, files] }
    const begin = async () => {
      const { context } = testContext()
      expect(await pool.reach(space, context)).toEqual([])
      return pool.mcp(files, context)
    }
    const use = await begin()
    expect(log).toEqual([])
    await begin()
    expect(log).toEqual(['again'])
    await use.during(begin)
    expect(log).toEqual(['again'])
    await pool.close()
  })

  it('are refreshed after a lost connection was reopened', async () => {
    const log: string[] = []
    let isOpen = true
    const { connection } = server()
    const connect = async () => {
      log.push('open')
      isOpen = true
      return { ...connection, isOpen: () => isOpen, refresh: async () => void log.push('again') }
    }
    const { pool } = pooled({ mcpServers: { files: { connect } } })
    const begin = () => pool.reach({ mcp_servers: [files] }, testContext().context)
    await begin()
    isOpen = false
    await begin()
    await begin()
    expect(log).toEqual(['open', 'open', 'again'])
    await pool.close()
  })

  it('to remote agents are refreshed as well', async () => {
    let opened = 0
    const connection = { skills: [], send: async () => ({ content: 'hi', isError: false }), close: async () => {} }
    const far = {
      async connect() {
        opened += 1
        return connection
      },
    }
    const { pool } = pooled({ remoteAgents: { far } })
    const { context } = testContext()
    await Promise.all([pool.remote({ alias: 'far' }, context), pool.remote({ alias: 'far' }, context)])
    expect(opened).toBe(1)
    await expect(pool.remote({ alias: 'near' }, context)).rejects.toMatchObject({ error: { code: 'unmapped_server' } })
    await pool.close()
  })
})

describe('the binding of a server', () => {
  const [byRef, byAlias] = [server().binding, server().binding]

  it.each([
    ['server_ref first', { alias: 'files', server_ref: 'org.files' }, byRef],
    ['else the alias', { alias: 'files', server_ref: 'org.other' }, byAlias],
    ['an empty server_ref is none', { alias: 'files', server_ref: '' }, byAlias],
    ['nothing', { alias: 'constructor' }, undefined],
  ])('%s', (_, entry, expected) => {
    expect(mcpBinding(entry, { mcpServers: { 'org.files': byRef, files: byAlias, '': byRef } })).toBe(expected)
  })
})

describe('requests of a server', () => {
  it.each<[string, RuntimeOptions, string[]]>([
    ['no handler', {}, []],
    ['an approver', { approve: () => ({ approved: true }) }, ['sample']],
    ['a host that samples', { onSampling: () => undefined }, ['sample']],
    ['a host that asks people', { onElicitation: () => undefined }, ['elicit']],
  ])('are announced for available handlers: %s', async (_, options, names) => {
    const { binding, handlers } = server()
    const { pool } = pooled({ mcpServers: { files: binding }, ...options })
    await pool.mcp(files, testContext({ options }).context)
    expect(Object.keys(handlers() ?? {})).toEqual(names)
  })

  it('belong to the agent with a running call; without one, they are declined', async () => {
    const { binding, handlers } = server()
    const asked: unknown[] = []
    const onElicitation = (params: unknown, request: { server: string }) => {
      asked.push([params, request.server])
      return { action: 'accept' }
    }
    const { pool } = pooled({ mcpServers: { files: binding }, onElicitation })
    const { context } = testContext({ options: { onElicitation } })
    const use = await pool.mcp(files, context)
    const { signal } = new AbortController()
    expect(await handlers()?.elicit?.({ message: 'who?' }, signal)).toBeUndefined()
    const answer = await use.during(async () => handlers()?.elicit?.({ message: 'who?' }, signal))
    expect(answer).toEqual({ action: 'accept' })
    expect(asked).toEqual([[{ message: 'who?' }, 'files']])
  })

  it('are declined while several runs use the server', async () => {
    const { binding, handlers } = server()
    const options = { onElicitation: () => ({ action: 'accept' }) }
    const { pool } = pooled({ mcpServers: { files: binding }, ...options })
    const one = await pool.mcp(files, testContext({ options, run: 'run-1' }).context)
    const two = await pool.mcp(files, testContext({ options, run: 'run-2' }).context)
    const { signal } = new AbortController()
    const ask = async () => handlers()?.elicit?.({ message: 'who?' }, signal)
    expect(await one.during(() => two.during(ask))).toBeUndefined()
    expect(await one.during(() => one.during(ask))).toEqual({ action: 'accept' })
  })
})
