import { describe, expect, test, vi } from 'vitest'
import { StdioTransport } from '../../src/connectors/mcp-stdio.ts'
import { call, fixture, isAlive, never, useMcp } from '../support/mcp.ts'

const connect = useMcp()
const honest = fixture('mcp-server.mjs')
const hostile = (way: string) => ({ ...fixture('hostile-mcp-server.mjs', way), timeoutMs: 5000 })

describe('an honest server as a process', () => {
  test('lists tools, answers calls, and has instructions', async () => {
    const connection = await connect(honest)
    const tools = await connection.listTools(never)
    expect(tools.find(({ name }) => name === 'add')).toMatchObject({
      description: 'Adds two numbers.',
      inputSchema: { type: 'object', required: ['a', 'b'] },
    })
    expect(await connection.callTool('add', { a: 1, b: 2 }, never)).toEqual({ content: { sum: 3 }, isError: false })
    expect(connection.instructions).toBe('Always add before you echo.')
    expect(connection.isOpen?.()).toBe(true)
  })

  test('gets only required environment variables and those of the binding', async () => {
    process.env.JOUST_TEST_SECRET = 'not for servers'
    const connection = await connect({ ...honest, env: { GIVEN: 'yes' } })
    const names = String(await call(connection, 'environment')).split(',')
    expect(names).toContain('GIVEN')
    expect(names).toContain('PATH')
    expect(names).not.toContain('JOUST_TEST_SECRET')
    delete process.env.JOUST_TEST_SECRET
  })

  test('ends when its connection is closed', async () => {
    const connection = await connect(honest)
    const pid = Number(await call(connection, 'pid'))
    expect(isAlive(pid)).toBe(true)
    await connection.close()
    expect(isAlive(pid)).toBe(false)
    expect(connection.isOpen?.()).toBe(false)
    await connection.close()
  })

  test('ends if it is closed while it starts', async () => {
    const transport = new StdioTransport(honest)
    let over = false
    const starting = transport.start().finally(() => {
      over = true
    })
    const refused = expect(starting).rejects.toThrow('closed while the server started')
    await transport.close()
    expect(over).toBe(true)
    await refused
  })

  test('ends with its child processes, even if both ignore signals', async () => {
    const connection = await connect(fixture('mcp-server.mjs', '--stay'))
    const pids = [Number(await call(connection, 'pid')), Number(await call(connection, 'start_child'))]
    expect(pids.map(isAlive)).toEqual([true, true])
    await connection.close()
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]), { timeout: 5000 })
  })

  test('that crashes during a call ends the call, its children and the connection, with secrets redacted', async () => {
    const connection = await connect({ ...honest, env: { KEY: 's3cret-key' } })
    const child = Number(await call(connection, 'start_child'))
    const observation = await connection.callTool('die', {}, never)
    expect(observation).toEqual({
      content: 'the connection was closed: the process exited with code 3; a key: [hidden]',
      isError: true,
    })
    expect(connection.isOpen?.()).toBe(false)
    expect((await connection.callTool('add', { a: 1, b: 2 }, never)).isError).toBe(true)
    await vi.waitFor(() => expect(isAlive(child)).toBe(false), { timeout: 5000 })
  })
})

describe('a server that cannot be connected to', () => {
  test.each([
    ['is not there', { command: '/no/such/command' }, /ENOENT/],
    ['ends at once', hostile('ends-at-once'), /the process exited with code 2; cannot start: no configuration/],
    ['never answers', { ...hostile('never-answers'), timeoutMs: 200 }, /no answer within 0.2 seconds/],
    ['speaks another version', hostile('wrong-version'), /protocol version is not supported: 1999-01-01/],
    ['answers with nonsense', hostile('no-result'), /an invalid JSON-RPC response/],
  ])('that %s', async (_, binding, message) => {
    await expect(connect(binding)).rejects.toThrow(message)
  })

  test('ends when the signal is aborted, even if it has just started', async () => {
    const processes = () => process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length
    await vi.waitFor(() => expect(processes()).toBe(0), 5000)
    const stop = new AbortController()
    const connecting = connect(hostile('never-answers'), {}, stop.signal)
    stop.abort(new Error('enough'))
    await expect(connecting).rejects.toThrow('enough')
    await vi.waitFor(() => expect(processes()).toBe(0), 5000)
  })
})

describe('a server that breaks the protocol', () => {
  test.each([
    ['garbage-lines', 'still here', false],
    ['own-error', 'the server returned error -31337: go away', true],
    ['dies', 'the connection was closed: the process exited with code 7', true],
    ['long-line', /wrote a line longer than 10485760 bytes/, true],
    ['deaf', /does not read its input/, true],
    ['asks-too-much', 'asked', false],
  ] as const)('%s ends in an observation', async (way, content, isError) => {
    const connection = await connect({ ...hostile(way), timeoutMs: 20_000 })
    const observation = await connection.callTool('t', {}, never)
    expect(observation.isError).toBe(isError)
    expect(observation.content).toMatch(content)
  })

  test.each([
    ['bare-string', /an invalid JSON-RPC response/],
    ['wrong-envelope', /an invalid JSON-RPC response/],
    ['bad-content', /Invalid result for tools\/call/],
  ])('%s is rejected', async (way, message) => {
    const connection = await connect({ ...hostile(way), timeoutMs: 20_000 })
    const refusal = { name: 'RefusedAnswer', operation: 'tools/call', message: expect.stringMatching(message) }
    await expect(connection.callTool('t', {}, never)).rejects.toMatchObject(refusal)
  })

  test('without an answer: calls time out', async () => {
    const ways = ['hangs', 'wrong-id', 'garbage-only', 'floods']
    const connections = await Promise.all(ways.map((way) => connect({ ...hostile(way), timeoutMs: 4000 })))
    const observations = await Promise.all(connections.map((connection) => connection.callTool('t', {}, never)))
    const late = 'no answer within 4 seconds'
    const noise = ': invalid output: "Traceback: it broke"'
    expect(observations.map(({ content }) => content)).toEqual([late, late, `${late}${noise}`, late])
    expect(observations.every(({ isError }) => isError)).toBe(true)
  })

  test('a call ends at once when its signal is aborted', async () => {
    const connection = await connect(hostile('hangs'))
    const stop = new AbortController()
    const calling = connection.callTool('t', {}, stop.signal)
    stop.abort(new Error('the run is over'))
    await expect(calling).rejects.toThrow('the run is over')
  })

  test.each([
    ['endless-pages', /exceeded listMaxPages/],
    ['many-tools', /lists 3000 tools; the limit is 2000/],
    ['bad-tool', /Invalid result for tools\/list/],
  ])('the list of %s is rejected', async (way, message) => {
    const connection = await connect(hostile(way))
    await expect(connection.listTools(never)).rejects.toThrow(message)
  })

  test('tools with names of prototype properties are ordinary tools', async () => {
    const connection = await connect(hostile('odd-names'))
    const names = (await connection.listTools(never)).map(({ name }) => name)
    expect(names).toEqual(['__proto__', 'constructor', 'toString', 'a b/c', 'final_output'])
    expect(await call(connection, '__proto__')).toBe('called __proto__')
  })
})
