/**
 * All functions that read messages from live connections: drivers, targets, connectors, models and servers, over
 * memory, pipes and loopback.
 */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Agent, loadAgent } from '@joust/agentformat'
import { type AttackOptions, runAttack } from '@joust/arena'
import { createMemoryHttp, createMemoryPipe } from '@joust/arena/wire'
import { type KnownMode, type LoadedAttack, load } from '@joust/oatf'
import { createRuntime, type RuntimeOptions, serveA2a, serveAgUi, serveMcp } from '@joust/runtime'
import { commandTarget, createGateway, endpointTarget, httpTarget } from '@joust/targets'
import type { Reader } from './readers.ts'

const TOOL = '{ name: a, description: Does it., inputSchema: { type: object } }'
const attacks = {
  ag_ui_client: attack(
    'ag_ui_client',
    'run_agent_input: { threadId: t, runId: r, messages: [{ id: m, role: user, content: hi }] }, x-joust-resume: [{ content: { payload: "{{response.message}}" } }]',
  ),
  a2a_client: attack('a2a_client', 'task_message: { role: user, parts: [{ kind: text, text: hi }] }'),
  mcp_client: attack(
    'mcp_client',
    'actions: [{ method: tools/list }, { method: tools/call, params: { name: a, arguments: {} } }]',
  ),
  mcp_server: attack('mcp_server', `tools: [${TOOL}]`),
  a2a_server: attack(
    'a2a_server',
    'agent_card: { name: a, url: "{{x_joust_address}}" }, x-joust-signature: [{ key: a, of: { name: b } }, { key: b, alg: none }], task_responses: [{ status: completed }]',
  ),
} satisfies Record<KnownMode, LoadedAttack>

/** MCP 2026-07-28: input requests, tasks, and checked headers. */
const stateless = {
  mcp_client: attack(
    'mcp_client',
    'x-joust-headers: { x-a: "{{b}}" }, actions: [{ method: tools/list }, { method: tools/call, params: { name: a } }], elicitation_responses: [{ content: { a: b } }]',
  ),
  mcp_server: attack(
    'mcp_server',
    `capabilities: { extensions: { io.modelcontextprotocol/tasks: {} } }, x-joust-cache: { ttlMs: 1 }, x-joust-pages: [
      { path: /, content: { headers: { x-a: "{{request.form.a}}" }, body: "{{request.body}}" } } ], tools: [
      { name: a, execution: { taskSupport: optional }, responses: [
        { when: { x-joust-headers.x-a: b }, content: [{ type: text, text: "{{request.x-joust-headers.x-a}}" }] },
        { content: { resultType: input_required, requestState: s, inputRequests: { a: { method: elicitation/create } } } } ] },
      { name: b, responses: [{ content: [], x-joust-during: [{ send: { method: elicitation/create, params: {} } }] }] } ]`,
  ),
}

function attack(mode: string, state: string): LoadedAttack {
  const indicators = '[{ surface: x, target: y, pattern: { contains: z } }]'
  const loaded = load(
    `{ oatf: "0.1", attack: { execution: { mode: ${mode}, state: { ${state} } }, indicators: ${indicators} } }`,
  )
  if (loaded.ok) return loaded.value
  throw new Error(`cannot load the fuzzer's ${mode}: ${JSON.stringify(loaded.error)}`)
}

/** Short limits, because missing messages will not arrive. */
const limits = { graceMs: 0, runMs: 300, replyMs: 200, stallMs: 5, phaseMs: 50, closeMs: 500, observeMs: 0, retries: 0 }

function play(which: keyof typeof attacks, options: AttackOptions): Promise<unknown> {
  const isStateless = options.mcpVersion !== undefined && (which === 'mcp_client' || which === 'mcp_server')
  return runAttack(isStateless ? stateless[which] : attacks[which], {
    ...options,
    limits: { ...limits, ...options.limits },
  })
}

const contentType = (text: string) => (/^\s*[[{]/.test(text) ? 'application/json' : 'text/event-stream')

/** Yields a text in chunks that split characters and lines. */
async function* parts(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += 61) yield bytes.subarray(at, at + 61)
}

const ID = /"id":\s*("[^"]*"|\d+)/

/** Returns the text as a response, with the id of the request if both have one. */
function answerTo(asked: unknown, text: string): string {
  const id = ID.exec(typeof asked === 'string' ? asked : '')?.[0]
  return id === undefined ? text : text.replace(ID, () => id)
}

const answering =
  (text: string) =>
  async ({ body }: { readonly body?: unknown }) => ({
    status: 200,
    headers: { 'content-type': contentType(text) },
    body: parts(answerTo(body, text)),
  })

const MODERN = { mcpVersion: '2026-07-28' }

const client =
  (protocol: 'ag_ui' | 'a2a' | 'mcp', more: AttackOptions = {}) =>
  (text: string) => {
    const options = { [protocol]: { url: 'http://127.0.0.1:9/' }, send: answering(text), preflight: false }
    return play(`${protocol}_client`, { ...more, target: endpointTarget(options) })
  }

/** Sends a text to a server actor after a valid handshake. */
const server =
  (mode: 'mcp_server' | 'a2a_server', more: AttackOptions = {}) =>
  async (text: string) => {
    const network = createMemoryHttp()
    const stop = new AbortController()
    let resolve = (_: string) => {}
    const ready = new Promise<string>((found) => {
      resolve = found
    })
    const run = play(mode, {
      ...more,
      listen: { default: { kind: 'http', listen: network.listen } },
      signal: stop.signal,
      onEvent: (event) => event.type === 'actor-ready' && resolve(event.address ?? network.origin),
    })
    const url = await Promise.race([ready, run.then(() => network.origin)])
    for (const body of [INITIALIZE, text]) {
      const sent = network.send({
        method: 'POST',
        url,
        headers: { ...headers, ...repeated(body) },
        body,
        signal: AbortSignal.timeout(200),
      })
      // A cut or stopped connection counts as an answer: only the actor must continue.
      await sent.then(({ body: answer }) => drain(answer)).catch(() => {})
    }
    stop.abort()
    await run
  }

/** Returns the headers of A2A 1.0 or MCP 2026-07-28 for a text of that version. */
function repeated(body: string): Record<string, string> {
  if (/"method":\s*"[A-Z]/.test(body)) return { 'a2a-version': '1.0' }
  const [, method] = /"method":\s*"([!-~]+?)"/.exec(body) ?? []
  const [, name] = /"(?:name|taskId)":\s*"([!-~]+?)"/.exec(body) ?? []
  if (method === undefined || !body.includes('2026-07-28')) return {}
  const about = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }
  return { ...about, ...(name !== undefined && { 'mcp-name': name }) }
}

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const INITIALIZE =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}'

async function drain(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of chunks);
}

const overPipe =
  (mode: 'mcp_client' | 'mcp_server', more: AttackOptions = {}) =>
  async (text: string) => {
    const [ours, theirs] = createMemoryPipe(1_000_000)
    const end =
      mode === 'mcp_client'
        ? { connect: { default: { kind: 'pipe', open: async () => ours } } as const }
        : { listen: { default: { kind: 'pipe', pipe: ours } } as const }
    const run = play(mode, { ...more, ...end })
    const lines = text.split('\n')
    if (mode === 'mcp_server') for (const line of lines.splice(0)) await theirs.send(line)
    for await (const { text: asked } of lines.length === 0 ? [] : theirs.lines) {
      await theirs.send(answerTo(asked, lines.shift() ?? ''))
      if (lines.length === 0) break
    }
    await theirs.close()
    await run
  }

/**
 * A shell script that answers each of the first two lines with one line, as in a handshake, and the third with the
 * rest.
 */
const ANSWER =
  'exec 3<"$0"; for i in 1 2; do read -r _; IFS= read -r line <&3; printf "%s\\n" "$line"; done; read -r _; cat <&3'

/** A program that prints the text and exits, in place of an agent. */
const printed = (acp: boolean) => (text: string, folder: string) => {
  const file = join(folder, 'printed')
  writeFileSync(file, text)
  const command = ['sh', '-c', acp ? ANSWER : 'cat "$0"', file]
  const how = acp ? { acp } : { lines: true, answer: 'a.b' }
  const target = commandTarget({ command, timeoutMs: 2000, ...how })
  return play('ag_ui_client', { target, limits: { phaseMs: 500, runMs: 1000 } })
}

const AGENT = `schema_version: "1.0.0"
metadata: { id: a, name: A, version: "1", description: Helps }
interface: { input: { type: string }, output: { type: string } }
execution_policy: { id: agf.react, config: { instructions: Help, model: MODEL } }
`
const SERVERS = 'action_space: { mcp_servers: [{ alias: s, server_ref: s }] }\n'
const REMOTE = 'action_space: { remote_agents: [{ alias: r, description: Far away. }] }\n'

const agents = new Map<string, Promise<Agent>>()

/** Loads an agent once. Only the messages to it vary. */
function agent(model: string, more = ''): Promise<Agent> {
  const known = agents.get(model + more) ?? loadNew(model, more)
  agents.set(model + more, known)
  return known
}

async function loadNew(model: string, more: string): Promise<Agent> {
  const loaded = await loadAgent('a', { read: async () => AGENT.replace('MODEL', model) + more })
  if (loaded.ok) return loaded.value.agent
  throw new Error(`cannot load the fuzzer's agent: ${JSON.stringify(loaded.error)}`)
}

/** A clock on which retry pauses end immediately and timeouts never fire. */
const clock: NonNullable<RuntimeOptions['clock']> = {
  now: Date.now,
  setTimer(milliseconds, callback) {
    if (milliseconds > 20_000) return () => {}
    const timer = setImmediate(callback)
    return () => clearImmediate(timer)
  },
}

async function ask(given: Promise<Agent>, options: RuntimeOptions): Promise<void> {
  const who = await given
  const runtime = createRuntime({ env: {}, clock, timeouts: { connectMs: 60_000 }, ...options })
  await runtime.run(who, 'hello', { conversation: [{ role: 'user', text: 'hello' }] })
  await runtime.run(who, 'hello')
  await runtime.close()
}

/** A peer of a connector that answers everything with the text. */
const peer = (text: string) => ({
  url: 'http://127.0.0.1:9/',
  timeoutMs: 30,
  fetch: async (_: unknown, init?: RequestInit) =>
    new Response(answerTo(init?.body, text), { headers: { 'content-type': contentType(text) } }),
})

const asHttp = (text: string) => {
  const how = { name: 'a', url: 'http://127.0.0.1:9/', stream: 'sse', answer: 'a.b', send: answering(text) } as const
  return play('ag_ui_client', { target: httpTarget(how) })
}

const inMemory: Readonly<Record<string, Reader>> = {
  'AG-UI client': client('ag_ui'),
  'A2A client': client('a2a'),
  'MCP client': client('mcp'),
  'MCP server': server('mcp_server'),
  'A2A server': server('a2a_server'),
  'MCP 2026 client': client('mcp', MODERN),
  'MCP 2026 server': server('mcp_server', MODERN),
  'MCP 2026 server over a pipe': overPipe('mcp_server', MODERN),
  'MCP client over a pipe': overPipe('mcp_client'),
  'MCP server over a pipe': overPipe('mcp_server'),
  'HTTP target': asHttp,
  'connector of MCP': (text) => ask(agent('sim/silent', SERVERS), { mcpServers: { s: peer(text) } }),
  'connector of A2A': (text) => ask(agent('sim/credulous', REMOTE), { remoteAgents: { r: peer(text) } }),
}

const programs: Readonly<Record<string, Reader>> = { 'ACP agent': printed(true), command: printed(false) }

interface Opened {
  readonly readers: Readonly<Record<string, Reader>>
  close(): Promise<void>
}

interface Wire extends Opened {
  /** Readers that start a program, or wait for a provider's library, for each message. */
  readonly slow: Readonly<Record<string, Reader>>
}

/** Opens all readers of messages, with the servers that they need. */
export async function openWire(): Promise<Wire> {
  const models = await openModels()
  const served = await openServed()
  return {
    readers: { ...inMemory, ...served.readers },
    slow: { ...programs, ...models.readers },
    close: async () => void (await Promise.all([models.close(), served.close()])),
  }
}

/** Opens provider libraries with a server that answers with the text. */
async function openModels(): Promise<Opened> {
  let said = ''
  const provider = createServer((_, reply) => reply.writeHead(200, { 'content-type': contentType(said) }).end(said))
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this type.
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  const env = {
    ...{ OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k' },
    ...{ OPENAI_BASE_URL: url, ANTHROPIC_BASE_URL: url, GOOGLE_BASE_URL: url },
  }
  const reader = (name: string) => (text: string) => {
    said = text
    return ask(agent(name), { env })
  }
  return {
    readers: Object.fromEntries(
      ['openai/m', 'openai-chat/m', 'anthropic/m', 'google/m'].map((name) => [name, reader(name)]),
    ),
    async close() {
      provider.closeAllConnections()
      provider.close()
    },
  }
}

/** Opens the listening side: a served agent and the gateway. */
async function openServed(): Promise<Opened> {
  const runtime = createRuntime({ env: {} })
  const silent = await agent('sim/silent')
  const agUi = await serveAgUi(runtime, silent)
  const a2a = await serveA2a(runtime, silent)
  const mcp = await serveMcp(runtime, silent)
  const gateway = createGateway()
  await gateway.open()
  const post = (to: string) => async (body: string) => {
    const send = () => fetch(to, { method: 'POST', headers, body })
    // A kept-alive connection may have been closed in the meantime. A server that drops this text will drop it again.
    const answer = await send().catch(send)
    await answer.body?.cancel()
  }
  return {
    readers: {
      'served over AG-UI': post(agUi.url),
      'served over A2A': post(a2a.url),
      'served over MCP': post(mcp.url),
      gateway: post(gateway.address('mcp', 1)),
    },
    async close() {
      await Promise.all([agUi.close(), a2a.close(), mcp.close(), gateway.close()])
      await runtime.close()
    },
  }
}
