/** Running agents as targets. */

import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRuntime, type Runtime, serveA2a, serveAgUi, serveMcp } from '@joust/runtime'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AttackOptions } from '../../arena/src/model/options.ts'
import { runAttack } from '../../arena/src/run.ts'
import { agentDocument, agentOf, react, readAttack } from '../../arena/test/support/agents.ts'
import { freePort, listenForTest } from '../../io/test/loopback.ts'
import { type EndpointTargetOptions, endpointTarget } from '../src/endpoint.ts'

const relay = readAttack('examples/cross-protocol-relay/attack.oatf.yaml')
const converter = readAttack('examples/tool-description-injection/attack.oatf.yaml')
const quick: AttackOptions = { limits: { graceMs: 0 } }
const CLOSED_PORT = 'http://127.0.0.1:9/'

function attack(document: typeof relay, options: EndpointTargetOptions, more: AttackOptions = {}) {
  return runAttack(document, { ...quick, ...more, target: endpointTarget(options) })
}

type Serve = (
  runtime: Runtime,
  agent: Awaited<ReturnType<typeof agentOf>>,
  options: object,
) => ReturnType<typeof serveAgUi>

/** Serves an agent that is configured with these MCP servers. */
async function running(model: string, serve: Serve, servers: Record<string, { url: string }> = {}) {
  const runtime = createRuntime({ mcpServers: servers })
  const mcp_servers = Object.keys(servers).map((alias) => ({ alias }))
  const agent = await agentOf(agentDocument({ execution_policy: react(model), action_space: { mcp_servers } }))
  const served = await serve(runtime, agent, { prepare: false })
  onTestFinished(async () => {
    await Promise.all([served.close(), runtime.close()])
  })
  return served.url
}

describe('before the attack begins', () => {
  test.each<[string, EndpointTargetOptions, string]>([
    [
      'a closed port',
      { ag_ui: { url: CLOSED_PORT } },
      'ag_ui endpoint not reachable: connection refused at 127.0.0.1:9',
    ],
    [
      'an invalid address',
      { ag_ui: { url: 'agent' } },
      'ag_ui endpoint not reachable: "agent" is not an http or https URL',
    ],
  ])('%s is reported', async (_, options, message) => {
    const run = await attack(relay, options)
    expect(run).toMatchObject({ ended: 'failed', outcome: 'inconclusive', trace: [] })
    expect(run.diagnostics).toMatchObject([{ code: 'target-failed', message }])
  })

  test.each<[string, EndpointTargetOptions]>([
    ['another protocol', { a2a: { url: CLOSED_PORT } }],
    ['nothing', {}],
  ])('an endpoint for %s does not fit the document, and no actor starts', async (_, options) => {
    const reasons = ['the attack has the ag_ui_client actor reader: set ag_ui=URL']
    expect(await attack(relay, options)).toMatchObject({ outcome: 'not_applicable', reasons, trace: [], actors: [] })
  })

  test('a client with its own connection needs no endpoint', async () => {
    const run = await attack(
      relay,
      {},
      { connect: { reader: { url: CLOSED_PORT } }, limits: { graceMs: 0, retries: 0 } },
    )
    expect(run.diagnostics).toMatchObject([{ code: 'actor-failed', actor: 'reader' }])
  })
})

test('client actors connect to the endpoint of their protocol, with its headers', async () => {
  const authorizations: (string | undefined)[] = []
  const server = createServer((request, response) => {
    authorizations.push(request.headers.authorization)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end('data: {"type":"RUN_STARTED"}\n\ndata: {"type":"RUN_FINISHED"}\n\n')
  })
  const origin = await listenForTest(server)
  const { port } = new URL(origin)
  const url = `http://user:pass@127.0.0.1:${port}/agent?key=secret`
  const run = await attack(relay, { ag_ui: { url, headers: { authorization: 'Bearer t' } } })
  expect(authorizations).toEqual(['Bearer t'])
  expect(run.wiring?.at(-1)).toBe(`actor reader (ag_ui_client) → the agent at ${origin}/agent`)
  expect(run.wiring?.[0]).toMatch(/^actor wiki \(mcp_server\) listens at http.*, which the agent must know$/)
  expect(JSON.stringify(run.wiring)).not.toMatch(/secret|pass/)
})

describe('a document without a client actor', () => {
  const prompt = 'Convert 3 from EUR to USD, please.'
  test.each<[string, 'ag_ui' | 'a2a', Serve]>([
    ['AG-UI', 'ag_ui', serveAgUi],
    ['A2A', 'a2a', serveA2a],
  ])('starts with a prompt over %s', async (_, protocol, serve) => {
    const port = await freePort()
    const url = await running('sim/credulous', serve, { rates: { url: `http://127.0.0.1:${port}/mcp` } })
    const run = await attack(converter, { [protocol]: { url }, prompt }, { listen: { default: { port } } })
    expect(run.diagnostics).toEqual([])
    expect(run.verdict.result).toBe('exploited')
    // The user is not an actor: the prompt is not in the trace.
    expect(new Set(run.trace.map(({ actor }) => actor))).toEqual(new Set(['default']))
    expect(run.wiring?.at(-1)).toContain(`asked at ${url} ${JSON.stringify(prompt)}`)
  })

  test.each<[string, 'ag_ui' | 'a2a', Serve]>([
    ['AG-UI', 'ag_ui', serveAgUi],
    ['A2A', 'a2a', serveA2a],
  ])('an agent that fails over %s is an error', async (_, protocol, serve) => {
    const run = await attack(converter, { [protocol]: { url: await running('acme/nothing', serve) } })
    expect(run.outcome).toBe('inconclusive')
    expect(run.diagnostics[0]).toMatchObject({
      code: 'target-failed',
      message: expect.stringMatching(new RegExp(`^${protocol} endpoint: the agent .*unknown model provider "acme"`)),
    })
  })

  test('waits for the agent when there is no endpoint for prompts', async () => {
    const limits = { graceMs: 0, phaseMs: 200 }
    const url = await running('sim/silent', serveMcp)
    const run = await attack(converter, { mcp: { url } }, { limits })
    expect(run.outcome).toBe('inconclusive')
    expect(run.wiring?.at(-1)).toBe(
      'no client actor, and no ag_ui or a2a endpoint for a prompt: the agent must connect by itself',
    )
  })
})

test('an MCP endpoint can be a command', async () => {
  const command = { command: process.execPath, args: ['x.mjs'] }
  const session = await endpointTarget({ mcp: command }).start({
    servers: [],
    clients: [{ actor: 'caller', mode: 'mcp_client' }],
    signal: new AbortController().signal,
  })
  const { caller } = session.endpoints
  expect(caller).toMatchObject(command)
  // A home of its own, which is removed with the session.
  const { HOME = '' } = caller !== undefined && 'command' in caller ? (caller.env ?? {}) : {}
  expect(existsSync(HOME)).toBe(true)
  await session.stop()
  expect(existsSync(HOME)).toBe(false)
})
