/** Answers that the agent's own client does not accept: whole runs with the official clients. */
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { RunEvent } from '../../src/model/events.ts'
import type { RuntimeOptions } from '../../src/model/options.ts'
import { bodyOf, useHttp } from '../support/http.ts'
import { react, scripts } from '../support/react.ts'
import { run } from '../support/run.ts'

const serve = useHttp()

type Answer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } }

/** A peer that answers each method, and each address that is only fetched, with the given answer. */
function serveAnswers(answers: Readonly<Record<string, Answer>>, card?: (url: string) => unknown): Promise<string> {
  const send = (response: ServerResponse, value: unknown) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
  const url = serve(async (request, response) => {
    if (request.method !== 'POST') return send(response, card?.(await url) ?? null)
    const { id, method } = JSON.parse(await bodyOf(request))
    if (id === undefined) return response.writeHead(202).end()
    return send(response, { jsonrpc: '2.0', id, ...(answers[method] ?? { result: {} }) })
  })
  return url
}

const output = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
const serverInfo = { name: 's', version: '1' }
const initialize = { result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo } }
const tools = [{ name: 'count', inputSchema: { type: 'object' }, outputSchema: output }]
const listing = { initialize, 'tools/list': { result: { tools } } }
const content = [{ type: 'text', text: 'poison' }]

async function refusals(kind: 'mcp' | 'remote', url: string) {
  const space = kind === 'mcp' ? { mcp_servers: [{ alias: 'peer' }] } : { remote_agents: [{ alias: 'peer' }] }
  const call = kind === 'mcp' ? { name: 'count' } : { name: 'peer', arguments: { message: 'hi' } }
  const models = scripts({ m: [{ tool_calls: [call] }, { text: 'done' }] })
  const bound: RuntimeOptions = kind === 'mcp' ? { mcpServers: { peer: { url } } } : { remoteAgents: { peer: { url } } }
  const { events, error } = await run(react('m', { action_space: space }), 'go', { models, ...bound })
  const said = events.flatMap((event) => (event.type === 'tool-failed' ? [event.content] : []))
  return { refused: events.filter(isRefused), said, error }
}

function isRefused(event: RunEvent): event is Extract<RunEvent, { type: 'answer-refused' }> {
  return event.type === 'answer-refused'
}

test.each([
  ['content of another shape', { content: 'poison' }, /Invalid result/],
  ['structured content against its schema', { content, structuredContent: { n: 'poison' } }, /does not match/],
  ['no structured content', { content }, /did not return structured content/],
])('a result with %s is reported and fails the call', async (_, result, message) => {
  const { refused, said } = await refusals('mcp', await serveAnswers({ ...listing, 'tools/call': { result } }))
  const common = { peer: 'mcp', alias: 'peer', operation: 'tools/call', message: expect.stringMatching(message) }
  expect(refused).toMatchObject([common])
  expect(said).toEqual([expect.stringMatching(/^count failed: /)])
})

test.each([
  ['initialize', { initialize: { result: { protocolVersion: 7 } } }],
  ['initialize', { initialize: { result: { ...initialize.result, protocolVersion: '1999-01-01' } } }],
  ['tools/list', { initialize, 'tools/list': { result: { tools: [{ name: 7 }] } } }],
])('a malformed response to %s is reported and fails the run', async (operation, answers) => {
  const { refused, error } = await refusals('mcp', await serveAnswers(answers))
  expect(refused).toMatchObject([{ peer: 'mcp', alias: 'peer', operation }])
  expect(error).toBeDefined()
})

const cardOf = (url: string) => ({ name: 'far', url, protocolVersion: '0.3.0', preferredTransport: 'JSONRPC' })

test('an invalid task is reported and fails the call', async () => {
  const task = { kind: 'task', id: 't', contextId: 'c', artifacts: [{ artifactId: 'a', parts: [{ text: 'poison' }] }] }
  const { refused, said } = await refusals('remote', await serveAnswers({ 'message/send': { result: task } }, cardOf))
  expect(refused).toMatchObject([{ peer: 'remote', alias: 'peer', operation: 'message/send' }])
  expect(said).toEqual([expect.stringMatching(/^peer failed: /)])
})

test('an invalid agent card is reported and fails the run', async () => {
  const { refused, error } = await refusals('remote', await serveAnswers({}, () => ({ name: 'poison' })))
  const message = expect.stringContaining('no agent URL')
  expect(refused).toMatchObject([{ peer: 'remote', alias: 'peer', operation: 'agent-card', message }])
  expect(error).toBeDefined()
})

test('errors of a peer are not reported as refusals', async () => {
  const error = { error: { code: -32602, message: 'no' } }
  for (const answer of [error, { result: { content, isError: true } }]) {
    const server = await serveAnswers({ ...listing, 'tools/call': answer })
    expect(await refusals('mcp', server)).toMatchObject({ refused: [], said: [expect.anything()] })
  }
  const agent = await serveAnswers({ 'message/send': error }, cardOf)
  expect(await refusals('remote', agent)).toMatchObject({ refused: [], said: [expect.stringContaining('no')] })
})
