/** The official SDK v2 sees the same through the recorder as without it, over stdio and HTTP, in both eras of MCP. */
import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker'
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { createServer } from '../../../runtime/test/fixtures/mcp-tools.mjs'
import { addressIn, httpConfig, recordIn, serve, shown } from './support.ts'

type Transport = Parameters<Client['connect']>[0]
type Era = 'legacy' | 'auto'

/** Uses everything the server has; returns what the application sees. */
async function converse(transport: Transport, era: Era) {
  const seen: unknown[] = []
  const client = new Client(
    { name: 'v2', version: '1' },
    {
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
      versionNegotiation: { mode: era },
      // The default generates code, which the tests forbid.
      jsonSchemaValidator: new CfWorkerJsonSchemaValidator(),
    },
  )
  client.setRequestHandler('elicitation/create', ({ params }) => {
    seen.push(params.message)
    return { action: 'accept', content: { name: 'Ada' } }
  })
  client.setRequestHandler('sampling/createMessage', ({ params }) => {
    seen.push(params.messages)
    return { role: 'assistant', model: 'none', content: { type: 'text', text: 'sampled' } }
  })
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///tmp' }] }))
  await client.connect(transport)
  const call = (name: string, args = {}) =>
    client.callTool({ name, arguments: args }).catch((error: Error) => `${error.message}`)
  seen.push(
    client.getServerVersion(),
    client.getInstructions(),
    await client.listTools(),
    await client.listResources(),
    await client.readResource({ uri: 'note://readme' }),
    await client.readResource({ uri: 'note://none' }).catch(({ code, message }) => [code, message]),
    await client.listPrompts(),
    await client.getPrompt({ name: 'greet', arguments: { who: 'Ada' } }),
    await call('add', { a: 1, b: 2 }),
    await call('echo', { text: 'x'.repeat(200_000) }),
    await call('fail'),
    await call('show'),
    await call('nothing'),
    ...(era === 'legacy' ? [await call('ask'), await call('sample'), await call('roots'), await call('pull')] : []),
  )
  await client.close()
  return seen
}

/** A server with sessions, streams and DELETE. */
function withSessions(): RequestListener {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>()
  return async (request, response) => {
    const id = request.headers['mcp-session-id']
    const known = typeof id === 'string' ? sessions.get(id) : undefined
    const transport =
      known ??
      new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (session) => void sessions.set(session, transport),
      })
    if (known === undefined) await createServer().connect(transport)
    await transport.handleRequest(request, response)
  }
}

test.each([
  { name: '2025-11-25 with sessions', era: 'legacy', listener: withSessions() },
  // Its request type rules out undefined where Node's allows it.
  { name: '2026-07-28', era: 'auto', listener: toNodeHandler(createMcpHandler(createServer)) as RequestListener },
] as const)('over HTTP, $name', async ({ era, listener }) => {
  const { url } = await serve(listener)
  const recording = await recordIn({ config: httpConfig(`${url}/mcp`) })
  const direct = await converse(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)), era)
  const recorded = await converse(new StreamableHTTPClientTransport(new URL(addressIn(recording))), era)
  expect(recorded).toEqual(direct)
  expectWhole(recording.entries())
  await recording.close('done')
  expect(recording.session()).toContain(`version: '${era === 'legacy' ? '2025-11-25' : '2026-07-28'}'`)
  expect(recording.session()).toContain('method: resources/read')
})

test('over stdio', async () => {
  const server = fileURLToPath(new URL('../../../runtime/test/fixtures/mcp-server.mjs', import.meta.url))
  const words = { command: process.execPath, args: [server] }
  const recording = await recordIn({
    config: { path: 'a.json', text: JSON.stringify({ mcpServers: { main: words } }) },
  })
  const rewritten = JSON.parse(recording.config ?? '').mcpServers.main
  const direct = await converse(new StdioClientTransport(words), 'legacy')
  expect(await converse(new StdioClientTransport(rewritten), 'legacy')).toEqual(direct)
  expectWhole(recording.entries())
  await recording.close('done')
  expect(recording.session()).toContain('instructions: Always add before you echo.')
})

/** Every request has its answer under the same name, and no message is malformed. */
function expectWhole(entries: Awaited<ReturnType<typeof recordIn>>['entries'] extends () => infer E ? E : never): void {
  expect(entries.filter(({ malformed }) => malformed !== undefined)).toEqual([])
  const calls = shown(entries).filter((text) => text.endsWith('tools/call'))
  const requests = calls.filter((text) => text === 'in request tools/call').length
  expect(requests).toBeGreaterThan(4)
  expect(calls.filter((text) => text === 'out response tools/call')).toHaveLength(requests)
}
