import { InMemoryTransport } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { connectTransport } from '../../src/connectors/mcp-connection.ts'
import type { McpHandlers } from '../../src/model/connection.ts'
import { createServer } from '../fixtures/mcp-tools.mjs'
import { call, never } from '../support/mcp.ts'

/** The honest server in memory, as a host with a transport of its own would bind it. */
async function connect(handlers: McpHandlers = {}, others = declining) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await createServer().connect(theirs)
  return connectTransport(() => ours, { handlers: { ...others, ...handlers } })
}

const declining: McpHandlers = { sample: async () => undefined, elicit: async () => undefined }

describe('results as observations', () => {
  test('structured content that is repeated as text is returned once', async () => {
    expect(await call(await connect(), 'add', { a: 2, b: 2 })).toEqual({ sum: 4 })
  })

  test('a failure of the tool is an error', async () => {
    expect(await (await connect()).callTool('fail', {}, never)).toEqual({ content: 'no luck', isError: true })
  })

  test('content other than text is described', async () => {
    expect(await call(await connect(), 'show')).toBe('look\n[image image/png, 5 bytes]\n[resource note://1]\ntwo')
  })

  test('an unknown tool and rejected arguments', async () => {
    const connection = await connect()
    expect(await connection.callTool('nothing', {}, never)).toMatchObject({ isError: true })
    expect(await connection.callTool('add', { a: 'one' }, never)).toMatchObject({ isError: true })
    expect(await connection.callTool('add', [1, 2], never)).toEqual({
      content: 'expected an object as arguments, got a list',
      isError: true,
    })
  })
})

test('resources and prompts are listed and read', async () => {
  const connection = await connect()
  expect(await connection.listResources?.(never)).toMatchObject([
    { uri: 'note://readme', description: 'The first note.' },
  ])
  expect(await connection.readResource?.('note://readme', never)).toEqual({ content: 'Read me first.', isError: false })
  expect(await connection.readResource?.('note://none', never)).toMatchObject({ isError: true })
  expect(await connection.listPrompts?.(never)).toMatchObject([{ name: 'greet', description: 'Greets.' }])
  expect(await connection.getPrompt?.('greet', { who: 7 }, never)).toMatchObject({ isError: true })
  expect(await connection.getPrompt?.('greet', { who: 'Ada' }, never)).toEqual({
    content: { messages: [{ role: 'user', content: 'Greet Ada.' }] },
    isError: false,
  })
})

describe('requests of the server', () => {
  test('an elicitation is answered by its handler', async () => {
    const asked: unknown[] = []
    const connection = await connect({
      async elicit(params) {
        asked.push(params.message)
        return { action: 'accept', content: { name: 'Ada' } }
      },
    })
    expect(JSON.parse(String(await call(connection, 'ask')))).toEqual({ action: 'accept', content: { name: 'Ada' } })
    expect(asked).toEqual(['Who are you?'])
  })

  test('an elicitation is declined without an answer', async () => {
    expect(JSON.parse(String(await call(await connect(), 'ask')))).toEqual({ action: 'decline' })
  })

  test('sampling is answered by its handler', async () => {
    const answer = { role: 'assistant', content: { type: 'text', text: 'something' }, model: 'm' }
    const connection = await connect({ sample: async () => answer })
    expect(JSON.parse(String(await call(connection, 'sample')))).toMatchObject(answer)
  })

  test('sampling is an error if it is declined or fails; the reason is not disclosed', async () => {
    const declined = await (await connect()).callTool('sample', {}, never)
    expect(declined).toMatchObject({ isError: true, content: expect.stringContaining('rejected the request') })
    const failing = async () => {
      throw new Error('our own trouble')
    }
    const failed = await (await connect({ sample: failing })).callTool('sample', {}, never)
    expect(failed.isError).toBe(true)
    expect(failed.content).not.toContain('our own trouble')
  })

  test('capabilities without a handler are not announced', async () => {
    const connection = await connect({}, {})
    for (const tool of ['ask', 'sample']) {
      const content = expect.stringMatching(/does not support|Method not found/i)
      expect(await connection.callTool(tool, {}, never)).toEqual({ content, isError: true })
    }
  })

  test('the list of roots is empty', async () => {
    expect(await call(await connect(), 'roots')).toBe('{"roots":[]}')
  })
})

test('listeners are notified of a changed list until they are removed', async () => {
  const connection = await connect()
  let told = 0
  const stop = connection.onToolsChanged?.(() => {
    told++
  })
  await call(connection, 'pull')
  await connection.listTools(never)
  expect(told).toBe(1)
  stop?.()
  await call(connection, 'pull')
  await connection.listTools(never)
  expect(told).toBe(1)
})

test('annotations mark repeatable tools', async () => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const server = createServer()
  const annotated = { read: { readOnlyHint: true }, put: { idempotentHint: true }, send: { readOnlyHint: false } }
  for (const [name, annotations] of Object.entries(annotated))
    server.registerTool(name, { annotations }, async () => ({ content: [] }))
  await server.connect(theirs)
  const tools = await (await connectTransport(() => ours, { handlers: {} })).listTools(never)
  expect(tools.filter(({ repeatable }) => repeatable).map(({ name }) => name)).toEqual(['read', 'put'])
})
