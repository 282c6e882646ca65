/** What peers and the environment do to a run: every fault ends in a diagnostic and a verdict, none in a hang. */
import { spawn } from 'node:child_process'
import { createServer, request, type Server, type ServerResponse } from 'node:http'
import { createServer as createSocketServer, type Socket } from 'node:net'
import type { Attack } from '@joust/oatf'
import { afterEach, describe, expect, test } from 'vitest'
import { listenForTest } from '../../io/test/loopback.ts'
import { runSuite } from '../../trials/src/suite.ts'
import type { AttackOptions } from '../src/model/options.ts'
import type { Target } from '../src/model/target.ts'
import { type AttackRun, runAttack } from '../src/run.ts'
import { echoServer, loadedAttack, selfPlay } from './support/attacks.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** An HTTP server that answers however the test likes; returns its URL. */
async function serve(answer: (body: string, response: ServerResponse) => void): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    answer(body, response)
  })
  return listen(server)
}

async function listen(server: Server | ReturnType<typeof createSocketServer>): Promise<string> {
  return `${await listenForTest(server)}/`
}

const mcpClient = (actions: readonly string[]): Partial<Attack> => ({
  execution: { mode: 'mcp_client', state: { actions: actions.map((method) => ({ method })) } },
  indicators: [{ direction: 'response', target: 'breach', pattern: { condition: { exists: true } } }],
})
const agUi: Partial<Attack> = {
  execution: { mode: 'ag_ui_client', state: { run_agent_input: { threadId: 't', runId: 'r', messages: [] } } },
  indicators: [{ direction: 'response', target: 'breach', pattern: { condition: { exists: true } } }],
}
const a2a: Partial<Attack> = {
  execution: { mode: 'a2a_client', state: { actions: [{ method: 'message/stream', params: { message: {} } }] } },
  indicators: [{ direction: 'response', target: 'breach', pattern: { condition: { exists: true } } }],
}
const limits = { graceMs: 0, replyMs: 5000, stallMs: 100, retries: 1, closeMs: 1000, runMs: 10_000, phaseMs: 5000 }
const attackAt = (attack: Partial<Attack>, url: string, options: AttackOptions = {}): Promise<AttackRun> =>
  runAttack(loadedAttack(attack), { connect: { default: { url } }, limits, ...options })
const codes = ({ diagnostics }: AttackRun) => diagnostics.map(({ code }) => code)
/** How a run with one actor went: the verdict, the actor, and what was reported, in order. */
const course = (run: AttackRun) => [run.outcome, run.actors[0]?.status, codes(run).join(' ')]

describe('a missing peer', () => {
  test.each([
    ['mcp', mcpClient(['ping'])],
    ['a2a', a2a],
    ['ag_ui', agUi],
  ] as const)('connection refused: %s', async (_, attack) => {
    const run = await attackAt(attack, 'http://127.0.0.1:9/')
    expect(run.verdict).toMatchObject({ evaluation_summary: { skipped: 1 } })
    expect(course(run)).toEqual(['inconclusive', 'failed', 'actor-failed'])
    expect(run.actors).toMatchObject([{ status: 'failed', error: expect.stringContaining('127.0.0.1:9') }])
  })

  test('a command that does not exist, and one that exits at once', async () => {
    const commands = [
      ['/nowhere/at/all', [], 'actor-failed'],
      [process.execPath, ['-e', 'process.exit(3)'], 'connection-lost actor-failed'],
    ] as const
    for (const [command, args, expected] of commands) {
      const connect = { default: { command, args } }
      const run = await runAttack(loadedAttack(mcpClient(['ping'])), { connect, limits })
      expect(course(run)).toEqual(['inconclusive', 'failed', expected])
    }
  })

  test('a port in use', async () => {
    const taken = new URL(await serve((_, response) => response.end()))
    const port = Number(taken.port)
    const run = await runAttack(loadedAttack(echoServer('x')), { listen: { default: { port } }, limits })
    expect(run.ended).toBe('failed')
    expect(course(run)).toEqual(['inconclusive', 'failed', 'actor-failed'])
    expect(run.diagnostics[0]?.message).toContain(`127.0.0.1:${port}`)
  })
})

describe('a peer that misbehaves', () => {
  /** A fault as each client sees it: what happens to the actor, and what is reported. A2A asks for a card first. */
  const seen = (mcp: string, a2aClient: string, agUiClient: string) =>
    [
      ['mcp', mcpClient(['ping']), mcp],
      ['a2a', a2a, a2aClient],
      ['ag_ui', agUi, agUiClient],
    ] as const
  const told = (run: AttackRun) => course(run).slice(1).join(': ')

  test.each(
    seen('failed: actor-failed', 'finished: reply-missing reply-missing', 'failed: reply-missing actor-failed'),
  )('never answers: %s', async (_, attack, expected) => {
    const url = await serve(() => {})
    const run = await attackAt(attack, url, { limits: { ...limits, replyMs: 200 } })
    expect(run.outcome).toBe('inconclusive')
    expect(told(run)).toBe(expected)
  })

  test.each(seen('failed: actor-failed', 'finished: connection-lost connection-lost', 'failed: actor-failed'))(
    'breaks the connection off: %s',
    async (_, attack, expected) => {
      const url = await serve((_body, response) => response.destroy())
      const run = await attackAt(attack, url)
      expect(run.outcome).toBe('inconclusive')
      expect(told(run)).toBe(expected)
    },
  )

  test.each(
    seen(
      'failed: message-malformed actor-failed',
      'finished: message-malformed message-malformed',
      'finished: message-malformed connection-lost',
    ),
  )('answers with garbage: %s', async (_, attack, expected) => {
    const url = await serve((_body, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('<html>\0'),
    )
    const run = await attackAt(attack, url)
    expect(run.outcome).toBe('inconclusive')
    expect(told(run)).toBe(expected)
    expect(run.trace.filter((entry) => entry.malformed !== undefined).length).toBeGreaterThan(0)
  })

  test.each(
    seen(
      'failed: agent-failed message-malformed actor-failed',
      'finished: message-malformed agent-failed message-malformed',
      'failed: agent-failed message-malformed actor-failed',
    ),
  )('answers with an error page: %s', async (_, attack, expected) => {
    const url = await serve((_body, response) =>
      response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>down</h1>'),
    )
    const run = await attackAt(attack, url)
    expect(run.outcome).toBe('inconclusive')
    expect(told(run)).toBe(expected)
  })

  test.each(seen('failed: actor-failed', 'finished: connection-lost connection-lost', 'failed: actor-failed'))(
    'is not an HTTP server: %s',
    async (_, attack, expected) => {
      const url = await listen(
        createSocketServer((socket: Socket) => socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9\r\n')),
      )
      const run = await attackAt(attack, url)
      expect(run.outcome).toBe('inconclusive')
      expect(told(run)).toBe(expected)
    },
  )

  test('a half-open event stream ends at the time limit', async () => {
    const url = await serve((_body, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify({ type: 'RUN_STARTED', threadId: 't', runId: 'r' })}\n\n`)
    })
    const run = await attackAt(agUi, url, { limits: { ...limits, phaseMs: 300 } })
    expect(course(run)).toEqual(['inconclusive', 'expired', 'phase-expired'])
    expect(run.trace.map(({ surface }) => surface)).toEqual(['run_agent_input', 'run_started'])
  })

  test('an event stream that is cut off keeps earlier events', async () => {
    const url = await serve((_body, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify({ type: 'CUSTOM', breach: 1 })}\n\n`)
      setTimeout(() => response.destroy(), 20)
    })
    const run = await attackAt(agUi, url)
    expect(course(run)).toEqual(['exploited', 'finished', 'connection-lost'])
  })

  test('a process that is killed in the middle of a call', async () => {
    const script = `
      const lines = require('node:readline').createInterface({ input: process.stdin })
      lines.on('line', (line) => {
        const { id, method } = JSON.parse(line)
        if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} } }))
        if (method === 'tools/list') process.kill(process.pid, 'SIGKILL')
      })`
    const connect = { default: { command: process.execPath, args: ['-e', script] } }
    const run = await runAttack(loadedAttack(mcpClient(['tools/list', 'ping'])), { connect, limits })
    expect(run.actors).toMatchObject([{ status: 'failed', error: expect.stringContaining('SIGKILL') }])
    expect(course(run)).toEqual(['inconclusive', 'failed', 'connection-lost actor-failed'])
    expect(run.trace.map(({ flow, surface }) => `${flow} ${surface}`)).toContain('out tools/list')
  })

  test('a server continues after a client is killed in the middle of a call', async () => {
    let address = ''
    const asked: string[] = []
    const attack = {
      ...echoServer('later'),
      execution: {
        mode: 'mcp_server',
        state: {
          tools: [{ name: 'echo' }, { name: 'slow' }],
          elicitations: [{ when: { name: 'slow' }, message: 'wait for me' }],
        },
      },
    }
    const running = runAttack(loadedAttack(attack), {
      limits: { ...limits, replyMs: 1000, phaseMs: 3000 },
      onEvent: (event) => {
        if (event.type === 'actor-ready') address = event.address ?? ''
        if (event.type === 'message-recorded' && event.entry.flow === 'out') asked.push(event.entry.surface)
      },
    })
    await expect.poll(() => address).not.toBe('')
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const body = (name: string) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { text: 'later' } } })
    const program = `fetch(${JSON.stringify(address)}, { method: 'POST', headers: ${JSON.stringify(headers)}, body: ${JSON.stringify(body('slow'))} })`
    const child = spawn(process.execPath, ['-e', program])
    await expect.poll(() => asked, { timeout: 5000 }).toEqual(['elicitation/create'])
    child.kill('SIGKILL')
    const answer = await fetch(address, { method: 'POST', headers, body: body('echo') })
    expect(answer.status).toBe(200)
    expect(course(await running)).toEqual(['exploited', 'expired', 'reply-missing phase-expired answer-undelivered'])
  })
})

describe('load', () => {
  test('100,001 messages with the match in the last one', async () => {
    const total = 100_001
    const url = await serve((_body, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const event = (number: number) =>
        `data: ${JSON.stringify({ type: 'CUSTOM', number, ...(number === total ? { breach: true } : {}) })}\n\n`
      for (let from = 1; from <= total; from += 1000) {
        const chunk = Array.from({ length: Math.min(1000, total - from + 1) }, (_, index) => event(from + index))
        response.write(chunk.join(''))
      }
      response.end(`data: ${JSON.stringify({ type: 'RUN_FINISHED', threadId: 't', runId: 'r' })}\n\n`)
    })
    const run = await attackAt(agUi, url, { limits: { ...limits, runMs: 60_000, phaseMs: 60_000 } })
    expect(run.trace).toHaveLength(total + 2)
    expect(run.verdict).toMatchObject({ result: 'exploited', indicator_verdicts: [{ match: { path: 'breach' } }] })
  })

  test('two hundred concurrent runs: no cross-talk, no open handles', async () => {
    const before = handles()
    const attacks = Array.from({ length: 200 }, (_, index) => ({
      file: `${index}`,
      attack: loadedAttack(selfPlay(`word-${index}-`, [`this is word-${index}-`, 'bye'])),
    }))
    let seen = 0
    const words = new Map<string, Set<string>>()
    for await (const { trial } of runSuite(attacks, {
      concurrency: 200,
      run: () => ({ wire: { client: 'server' }, limits: { graceMs: 0 } }),
      onEvent: ({ file }, event) => {
        if (event.type !== 'message-recorded') return
        const found = [...JSON.stringify(event.entry).matchAll(/word-\d+-/g)].map(([word]) => word)
        words.set(file, new Set([...(words.get(file) ?? []), ...found]))
      },
    })) {
      seen += 1
      expect(trial.verdict.result).toBe('exploited')
      expect(trial.diagnostics).toEqual([])
    }
    for (const [file, heard] of words) expect([...heard]).toEqual([`word-${file}-`])
    expect(words.size).toBe(200)
    expect(seen).toBe(200)
    await expect.poll(handles, { timeout: 5000 }).toBeLessThanOrEqual(before)
  })
})

/** The number of open sockets, servers, processes and pipes, and of pending timers. */
function handles(): number {
  const kinds = [
    'TCPSocketWrap',
    'TCPServerWrap',
    'ProcessWrap',
    'PipeWrap',
    'Timeout',
    'TCPConnectWrap',
    'GetAddrInfoReqWrap',
  ]
  return process.getActiveResourcesInfo().filter((kind) => kinds.includes(kind)).length
}

test('a request rejected by access control is not a message of the agent', async () => {
  const ask = (port: number, headers: Record<string, string>, message: object) =>
    new Promise<number>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers }, (response) =>
        response.resume().on('end', () => resolve(response.statusCode ?? 0)),
      )
      sent.on('error', reject).end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }))
    })
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const turn = async (port: number) => {
    expect(await ask(port, { ...json, host: 'rebound.example' }, { method: 'tools/list' })).toBe(403)
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } }
    expect(await ask(port, json, { method: 'initialize', params })).toBe(200)
    expect(await ask(port, json, { method: 'tools/list' })).toBe(200)
    const call = { name: 'echo', arguments: { text: 'harmless' } }
    expect(await ask(port, json, { method: 'tools/call', params: call })).toBe(200)
  }
  const target: Target = {
    name: 'an agent',
    start: async ({ servers: [server] }) => {
      const port = Number(new URL(server?.address ?? '').port)
      return { endpoints: {}, turn: () => turn(port), stop: async () => {} }
    },
  }
  const listen = { default: { host: '0.0.0.0' } }
  const run = await runAttack(loadedAttack(echoServer('breach')), { target, listen, limits })
  expect([run.outcome, codes(run)]).toEqual(['resisted', ['request-refused']])
})
