/** Recording of stdio servers: the process between an agent and a server. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Recorded, recordIn, shown } from './support.ts'

/** Answers every line with a result that repeats it; `exit N` and `hang` are commands. */
const ECHO = `
process.stderr.write('ready ' + process.cwd() + ' ' + process.env.OWN + '\\n')
let rest = ''
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n')
  rest = lines.pop()
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line)
    if (method === 'exit') process.exit(params.code)
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: { method, params } }) + '\\n')
  }
})
if (process.env.STAY) { process.on('SIGTERM', () => {}); setInterval(() => {}, 1000) }
`

const config = {
  path: 'mcp.json',
  text: JSON.stringify({ mcpServers: { echo: { command: process.execPath, args: ['-e', ECHO], env: { OWN: 'x' } } } }),
}

interface Agent extends ChildProcessWithoutNullStreams {
  say(message: unknown): void
}

/** Starts the server as an agent would, from the rewritten configuration. */
function start(recording: Recorded, env: Record<string, string> = {}): Agent {
  const { command, args, env: own } = JSON.parse(recording.config ?? '').mcpServers.echo
  const child = spawn(command, args, { cwd: '/', env: { ...process.env, ...own, ...env } })
  onTestFinished(() => void child.kill('SIGKILL'))
  return Object.assign(child, { say: (message: unknown) => child.stdin.write(`${JSON.stringify(message)}\n`) })
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  let read = ''
  while (!read.includes('\n')) read += String((await once(stream, 'data'))[0])
  return read.trim()
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('a server behind the recorder', () => {
  test('has the environment and the folder that the agent gives it, and its stderr', async () => {
    expect(await firstLine(start(await recordIn({ config })).stderr)).toBe('ready / x')
  })

  test('gets and sends the same bytes, in any pieces', async () => {
    const recording = await recordIn({ config })
    const agent = start(recording)
    const bytes = Buffer.from(`{"jsonrpc":"2.0",  "id":1,"method":"tools/call","params":{"name":"ä€😀"}}\n`)
    for (const byte of bytes) {
      agent.stdin.write(Buffer.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
    const answer = '{"jsonrpc":"2.0","id":1,"result":{"method":"tools/call","params":{"name":"ä€😀"}}}'
    expect(await firstLine(agent.stdout)).toBe(answer)
    expect(shown(recording.entries())).toEqual(['in request tools/call', 'out response tools/call'])
    expect(recording.entries()[1]).toMatchObject({ request: { name: 'ä€😀' } })
  })

  test('may send messages of megabytes', async () => {
    const recording = await recordIn({ config })
    const agent = start(recording)
    agent.say({ jsonrpc: '2.0', id: 1, method: 'big', params: { text: 'x'.repeat(3_000_000) } })
    agent.stdin.end()
    expect((await text(agent.stdout)).length).toBeGreaterThan(3_000_000)
    expect(shown(recording.entries())).toEqual(['in request big', 'out response big'])
  })

  test('is recorded before a message is passed on: a killed process loses nothing', async () => {
    const recording = await recordIn({ config })
    const agent = start(recording)
    agent.say({ jsonrpc: '2.0', id: 1, method: 'ping' })
    await once(agent.stdout, 'data')
    agent.kill('SIGKILL')
    expect(shown(recording.entries())).toEqual(['in request ping', 'out response ping'])
  })

  test('ends with its own exit code', async () => {
    const agent = start(await recordIn({ config }))
    agent.say({ jsonrpc: '2.0', id: 1, method: 'exit', params: { code: 3 } })
    expect((await once(agent, 'exit'))[0]).toBe(3)
  })

  test('ends when its input ends', async () => {
    const agent = start(await recordIn({ config }))
    agent.stdin.end()
    expect((await once(agent, 'exit'))[0]).toBe(0)
  })

  test('is sent the signals of the agent', async () => {
    const agent = start(await recordIn({ config }))
    await once(agent.stderr, 'data')
    agent.kill('SIGTERM')
    expect((await once(agent, 'exit'))[1]).toBe('SIGTERM')
  })

  test('that does not exist is reported as without a recorder', async () => {
    const missing = { path: 'a.json', text: '{"mcpServers":{"echo":{"command":"joust-no-such-program"}}}' }
    const agent = start(await recordIn({ config: missing }))
    const [errors, [code]] = await Promise.all([text(agent.stderr), once(agent, 'exit')])
    expect([errors, code]).toEqual(['spawn joust-no-such-program ENOENT\n', 127])
  })

  test('goes on without the recorder', async () => {
    const recording = await recordIn({ config })
    const agent = start(recording)
    agent.say({ jsonrpc: '2.0', id: 1, method: 'ping' })
    await once(agent.stdout, 'data')
    await recording.close('done')
    agent.say({ jsonrpc: '2.0', id: 2, method: 'ping' })
    expect(await firstLine(agent.stdout)).toContain('"id":2')
    expect(recording.entries()).toHaveLength(2)
  })

  test('does not outlive a killed process between, even if it ignores the end of its input', async () => {
    const recording = await recordIn({ config })
    const agent = start(recording, { STAY: '1' })
    agent.say({ jsonrpc: '2.0', id: 1, method: 'ping' })
    await once(agent.stdout, 'data')
    const { execFileSync } = await import('node:child_process')
    const pid = Number(execFileSync('ps', ['-o', 'pid=', '--ppid', String(agent.pid)], { encoding: 'utf8' }).trim())
    expect(isAlive(pid)).toBe(true)
    agent.kill('SIGKILL')
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 5000)
  })

  test('that writes text which is not JSON-RPC is recorded as malformed and passed on', async () => {
    const noisy = { command: process.execPath, args: ['-e', "console.log('starting up')"] }
    const recording = await recordIn({
      config: { path: 'a.json', text: JSON.stringify({ mcpServers: { echo: noisy } }) },
    })
    expect(await text(start(recording).stdout)).toBe('starting up\n')
    expect(recording.entries()).toMatchObject([{ flow: 'out', content: 'starting up', malformed: expect.any(String) }])
  })
})

test('two servers that use the same ids are kept apart', async () => {
  const recording = await recordIn({ config })
  const [one, two] = [start(recording), start(recording)]
  one.say({ jsonrpc: '2.0', id: 1, method: 'first' })
  two.say({ jsonrpc: '2.0', id: 1, method: 'second' })
  await Promise.all([once(one.stdout, 'data'), once(two.stdout, 'data')])
  for (const { direction, surface, content } of recording.entries())
    if (direction === 'response') expect(content).toMatchObject({ method: surface })
})
