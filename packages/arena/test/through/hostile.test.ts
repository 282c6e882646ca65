/** Real servers and agents that do not keep to the protocol: nothing is passed on without permission, and nothing hangs. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { AttackOptions } from '../../src/model/options.ts'
import type { RealServer, RealTool } from '../../src/model/through.ts'
import { runAttack } from '../../src/run.ts'
import { startChild } from '../../src/transport/child-process.ts'
import { loadedAttack } from '../support/attacks.ts'

const script = fileURLToPath(new URL('hostile.mjs', import.meta.url))
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const log = () => join(folder, 'log')
const inputSchema = { type: 'object', properties: { way: { type: 'string' } } } as const
const tools: RealTool[] = [
  { name: 'read_note', inputSchema, annotations: { readOnlyHint: true } },
  { name: 'write_note', inputSchema },
]

/** The messages that the real server received. */
const received = () => readFileSync(log(), 'utf8').split('\n')
const calls = () => received().filter((line) => line.includes('"tools/call"'))

async function overHttp(wrong = ''): Promise<RealServer> {
  const child = await startChild({ command: process.execPath, args: [script, log(), 'http', wrong] })
  onTestFinished(() => child.close(1_000).then(() => {}))
  const port = await new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data).trim())))
  return { name: 'notes', url: `http://127.0.0.1:${port}/mcp`, headers: { authorization: 'Bearer t0ken' }, tools }
}

const overPipe = async (): Promise<RealServer> => ({
  name: 'notes',
  command: [process.execPath, script, log()],
  tools,
})

const beside = {
  name: 'Beside',
  indicators: [
    { id: 'I-1', surface: 'tools/call', protocol: 'mcp', target: 'arguments.way', pattern: { contains: 'marker' } },
  ],
  execution: { mode: 'mcp_server', state: { tools: [{ name: 'weather', inputSchema: { type: 'object' } }] } },
}

type Post = (body: object | string, headers?: Record<string, string>) => Promise<{ status: number; text: string }>

/** Runs an attack beside a real server; the agent is a program that posts texts to the address of that server. */
async function run(
  server: RealServer,
  turn: (post: Post, url: string) => Promise<unknown>,
  options: AttackOptions = {},
) {
  let thrown: unknown
  const done = await runAttack(loadedAttack(beside as Parameters<typeof loadedAttack>[0]), {
    limits: { graceMs: 0, replyMs: 3_000 },
    ...options,
    through: { servers: [server] },
    target: {
      name: 'program',
      async start({ servers }) {
        const url = servers.find(({ actor }) => actor === 'notes')?.address ?? ''
        let session: string | undefined
        const post: Post = async (body, headers = {}) => {
          const answer = await fetch(url, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              accept: 'application/json, text/event-stream',
              ...(session && { 'mcp-session-id': session }),
              ...headers,
            },
            body: typeof body === 'string' ? body : JSON.stringify(body),
          })
          session ??= answer.headers.get('mcp-session-id') ?? undefined
          return { status: answer.status, text: await answer.text() }
        }
        return {
          endpoints: {},
          turn: async () => {
            await turn(post, url).catch((error: unknown) => {
              thrown = error
            })
          },
          stop: async () => {},
        }
      },
    },
  })
  if (thrown !== undefined) throw thrown
  return done
}

const hello = {
  ...{ jsonrpc: '2.0', id: 0, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'agent', version: '1' } },
}
const call = (way: string, name = 'read_note', id: unknown = 1) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, arguments: { way } },
})

const answers: readonly (readonly [way: string, expected: string])[] = [
  ['wrongId', 'right'],
  ['idAsText', 'right'],
  ['noId', 'right'],
  ['twice', 'first'],
  ['both', '"message":"both"'],
  ['nothing', '"result":null'],
  ['aText', '"result":"just a text"'],
  ['aList', '"result":[1,2]'],
  ['notJson', 'right'],
  ['batch', 'in a batch'],
  ['repeatedKeys', 'last'],
  ['aTask', '"taskId":"t1"'],
  ['input', 'input_required'],
  ['flood', 'right'],
]
/** Over HTTP, an answer stands in the stream of its request. */
const HTTP_WAYS = ['wrongId', 'idAsText', 'both', 'notJson', 'batch', 'flood']

describe.each([
  ['over a pipe', overPipe, answers],
  ['over HTTP', () => overHttp(), answers.filter(([way]) => HTTP_WAYS.includes(way))],
] as const)('a hostile real server %s', (_, start, ways) => {
  test.each(ways)('answers %s', async (way, expected) => {
    const turn = async (post: Post) => {
      await post(hello)
      expect((await post(call(way))).text).toContain(expected)
      expect((await post(call('plain', 'read_note', 2))).text).toContain('right')
    }
    // A flood takes long on a busy machine.
    const done = await run(await start(), turn, { limits: { graceMs: 0, replyMs: 60_000 } })
    expect(done.through).toMatchObject([{ tool: 'read_note', decision: 'passed', calls: 2 }])
  })
})

describe('a real server over HTTP that answers a call with', () => {
  test.each([
    ['redirect', 'HTTP status 307'],
    ['found', 'HTTP status 302'],
    ['page', 'the server ended its stream without a response'],
    ['accepted', 'the server ended its stream without a response'],
    ['endpoint', 'the server ended its stream without a response'],
    ['disconnect', 'no response from 127.0.0.1'],
  ])('%s', async (wrong, reason) => {
    const done = await run(await overHttp(wrong), async (post) => {
      await post(hello)
      expect((await post(call('plain'))).text).toContain('"error"')
    })
    expect(done.outcome).toBe('inconclusive')
    expect(done.diagnostics).toContainEqual(
      expect.objectContaining({ code: 'through-failed', message: expect.stringContaining(reason) }),
    )
    expect(done.through).toMatchObject([{ decision: 'passed', failed: 1, calls: 1 }])
    // The token is not sent elsewhere, and the call not again.
    expect(received().filter((line) => line.startsWith('POST'))).toHaveLength(1)
    expect(received().filter((line) => line.includes('/other'))).toEqual([])
  })
})

describe('a hostile agent', () => {
  const write = JSON.stringify(call('x', 'write_note').params)
  const readParams = JSON.stringify(call('x').params)
  test.each([
    ['two methods', `{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"ping","params":${write}}`],
    ['two methods, the call last', `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":${write}}`],
    ['two params', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${write},"params":${readParams}}`],
    [
      'two params, the write last',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${readParams},"params":${write}}`,
    ],
    [
      'an escaped key',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_note","n\\u0061me":"write_note"}}`,
    ],
    [
      'a prototype',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_note","__proto__":{"name":"write_note"}}}`,
    ],
    ['params as a list', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["write_note",{}]}`],
    ['a name that is no text', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["write_note"]}}`],
    ['white space', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_note ","arguments":{}}}`],
    ['a zero', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write_note\\u0000","arguments":{}}}`],
    ['a notification', `{"jsonrpc":"2.0","method":"tools/call","params":${write}}`],
    ['an id that is a record', `{"jsonrpc":"2.0","id":{"a":1},"method":"tools/call","params":${write}}`],
    ['an unknown method', `{"jsonrpc":"2.0","id":1,"method":"tools/execute","params":${write}}`],
    ['a method in another case', `{"jsonrpc":"2.0","id":1,"method":"Tools/Call","params":${write}}`],
    ['a method with white space', `{"jsonrpc":"2.0","id":1,"method":"tools/call ","params":${write}}`],
    [
      'a completion',
      `{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"secret"}}}`,
    ],
    ['a task', `{"jsonrpc":"2.0","id":1,"method":"tasks/result","params":{"taskId":"t1"}}`],
    [
      'a subscription to a resource that is not listed',
      `{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"note://secret"}}`,
    ],
    ['a method of the client', `{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[]}}`],
    [
      'a batch',
      `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/call","params":${write}},{"jsonrpc":"2.0","method":"tools/call","params":${write}}]`,
    ],
    ['a batch in a batch', `[[{"jsonrpc":"2.0","id":2,"method":"tools/call","params":${write}}]]`],
    [
      'a newline in a text',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call",\n"params":{"name":"write_note",\r\n"arguments":{}}}`,
    ],
  ])('cannot call with %s', async (_, body) => {
    const server = await overPipe()
    const done = await run(server, async (post) => {
      await post(hello)
      await post(body)
      await post(body)
      expect((await post(call('plain', 'read_note', 9))).text).toContain('right')
    })
    const seen = received()
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
    const methods = seen.map(({ method }) => method)
    expect(new Set(methods)).toEqual(
      new Set([
        'initialize',
        'notifications/initialized',
        'tools/call',
        ...(body.includes('subscribe') ? ['resources/list'] : []),
      ]),
    )
    const names = seen.filter(({ method }) => method === 'tools/call').map(({ params }) => params.name)
    expect(names.filter((name) => name !== 'read_note')).toEqual([])
    const known = ['read_note', 'read_note ', 'write_note', 'write_note\0', 'note://secret']
    expect(known).toEqual(expect.arrayContaining(done.through?.map(({ tool }) => tool) ?? []))
    expect(done.through?.find(({ tool }) => tool === 'write_note')?.decision ?? 'held').toBe('held')
  })

  test('calls in a batch are decided one by one', async () => {
    const done = await run(await overPipe(), async (post) => {
      await post(hello)
      const { text } = await post([
        call('plain', 'read_note', 1),
        call('plain', 'write_note', 2),
        call('plain', 'x', 3),
      ])
      expect(
        JSON.parse(text)
          .map(({ id }: { id: number }) => id)
          .toSorted(),
      ).toEqual([1, 2, 3])
    })
    expect(calls()).toHaveLength(1)
    expect(done.through?.map(({ tool, decision }) => `${tool} ${decision}`).toSorted()).toEqual([
      'read_note passed',
      'write_note held',
      'x held',
    ])
  })
})

/** A request of MCP 2026-07-28. */
const modern = (method: string, params: object = {}, id: unknown = 1, more: object = {}) => {
  const meta = 'io.modelcontextprotocol/'
  const _meta = { [`${meta}protocolVersion`]: '2026-07-28', [`${meta}clientCapabilities`]: {}, ...more }
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta } }
}
const modernHeaders = (method: string, name?: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
})

test.each([['2025-11-25'], ['2026-07-28']])(
  'an agent of MCP 2026-07-28 over Joust at %s gets no more through',
  async (mcpVersion) => {
    const answers: Record<string, { result?: object; error?: object }> = {}
    const done = await run(
      await overPipe(),
      async (post) => {
        const send = async (method: string, params: object, name?: string) => {
          const { text } = await post(modern(method, params), modernHeaders(method, name))
          return JSON.parse(text)
        }
        answers.list = await send('tools/list', {})
        answers.read = await send('tools/call', call('plain').params, 'read_note')
        answers.write = await send('tools/call', { name: 'write_note', arguments: {} }, 'write_note')
        await send('tools/call', { name: 'write_note', arguments: {} }, 'read_note')
        // A repeated call with the replies to requests of the server.
        const round = { inputResponses: { a: {} }, requestState: 's' }
        await send('tools/call', { name: 'write_note', arguments: {}, ...round }, 'write_note')
        answers.input = await send('tools/call', call('input').params, 'read_note')
        answers.listen = await send('subscriptions/other', {})
      },
      { mcpVersion },
    )
    expect(answers).toMatchObject({
      list: { result: { tools: [{ name: 'read_note' }, { name: 'write_note' }] } },
      read: { result: { content: [{ text: 'right' }] } },
      write: { result: { content: [{ text: 'Done.' }] } },
      input: { result: { resultType: 'input_required' } },
      listen: { error: { code: -32601 } },
    })
    expect(calls().map((line) => JSON.parse(line).params.name)).toEqual(['read_note', 'read_note'])
    expect(done.through).toMatchObject([
      { tool: 'read_note', decision: 'passed', calls: 2 },
      { tool: 'write_note', decision: 'held', calls: mcpVersion === '2025-11-25' ? 3 : 2 },
    ])
  },
)

test.each([
  ['over a pipe', overPipe],
  ['over HTTP', () => overHttp()],
])('a real server %s gets the answers of the agent to its requests, and errors for others', async (_, start) => {
  let text = ''
  await run(await start(), async (_post, url) => {
    const client = new Client(
      { name: 'agent', version: '1' },
      { capabilities: { sampling: {}, elicitation: { form: {} }, roots: {} } },
    )
    client.setRequestHandler('roots/list', async () => ({ roots: [] }))
    client.setRequestHandler('elicitation/create', async () => ({ action: 'decline' }))
    client.setRequestHandler('sampling/createMessage', async () => ({
      ...{ role: 'assistant', model: 'm' },
      content: { type: 'text', text: 'Hi yourself' },
    }))
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    text = JSON.stringify(await client.callTool({ name: 'read_note', arguments: { way: 'asks' } }))
    await client.close()
  })
  expect(text).toContain('Hi yourself')
  expect(text).toContain('decline')
  expect(text).toContain('roots')
  expect(text).toContain('-32601')
})

test('a tool of a server that announces a change and does not list its tools is held back', async () => {
  const done = await run(await overPipe(), async (post) => {
    await post(hello)
    await post(call('hides'))
    await Promise.all([2, 3].map((id) => post(call('plain', 'read_note', id))))
  })
  expect(calls()).toHaveLength(1)
  expect(done.through?.at(-1)).toMatchObject({
    decision: 'held',
    calls: 2,
    reason: expect.stringContaining('did not return it'),
  })
})

test.each([
  ['over a pipe', overPipe],
  ['over HTTP', () => overHttp()],
])('a tool whose definition changes %s is held back before the agent lists it again', async (_, start) => {
  const done = await run(await start(), async (post) => {
    await post(hello)
    expect((await post(call('changes'))).text).toContain('changed')
    expect((await post(call('plain', 'read_note', 2))).text).toContain('Done.')
  })
  expect(calls()).toHaveLength(1)
  expect(done.through?.map(({ reason }) => reason)).toEqual([
    'it is read-only and not a sink',
    'its definition has changed since the first tool list',
  ])
})

test('a real server whose requests the agent does not answer ends no later than its time', async () => {
  const done = await run(await overPipe(), async (post) => {
    await post(hello)
    expect((await post(call('asks'))).text).toContain('no response to tools/call within 3 seconds')
  })
  expect(done.outcome).toBe('inconclusive')
})
