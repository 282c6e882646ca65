/**
 * Simulated hosts that render MCP Apps, for attacks with `ui://` resources. Their agent does what the user asks: it
 * calls the tools mentioned in a message. Only the host can be vulnerable, not the agent.
 */
import type { Target, TargetArena, TargetSession } from '@joust/arena'
import { connectPlainly, type PlainConnection } from '@joust/arena/wire'
import { APP_TYPE, APPS_EXTENSION, appOfTool } from '@joust/oatf'
import { err, ok, own, ownList, ownText, type Result, type Value } from '@joust/source'
import { findChromium } from '../apps/chromium.ts'
import { policyOf } from '../apps/csp.ts'
import { SANDBOX } from '../apps/pages.ts'
import { createAppSession, type HostChecks } from '../apps/session.ts'
import { openView } from '../apps/view.ts'
import { openChat } from '../chat/chat.ts'
import { targetLimits } from '../limits.ts'
import type { SimulatedHost } from './host.ts'

export const appHost: SimulatedHost = {
  name: 'app host',
  fits: ({ apps }) => apps === true,
  missing: () => (findChromium() === undefined ? 'Chromium' : undefined),
  create: (kind) => createAppHost(`a ${kind} app host`, kind === 'cautious' ? strictChecks : weakChecks),
}

/** The checks that the specification requires. */
export const strictChecks: HostChecks = { isolation: true, csp: true, visibility: true, consent: true, context: true }

const weakChecks: HostChecks = { isolation: false, csp: false, visibility: false, consent: false, context: false }

export function createAppHost(name: string, checks: HostChecks): Target {
  return {
    name,
    async start(arena) {
      const connections = new Map<string, Promise<Server>>()
      const state: HostState = { arena, checks, servers: [], lines: [], queue: [], context: '' }
      const connectAll = async () => {
        for (const { actor, mode, address } of arena.servers)
          if (mode === 'mcp_server' && !connections.has(actor))
            connections.set(actor, connect(actor, address, arena.signal))
        state.servers = await Promise.all(connections.values())
      }
      const open = async () => ({
        async say({ prompt }: { readonly prompt: string }) {
          await connectAll()
          return { text: await converse(state, prompt) }
        },
        close: async () => {},
      })
      const session = await openChat({ name, open, hasTurns: true }, arena)
      return { ...session, stop: () => stop(session, connections) }
    },
  }
}

async function stop(session: TargetSession, connections: ReadonlyMap<string, Promise<Server>>): Promise<void> {
  await session.stop()
  await Promise.allSettled(
    [...connections.values()].map((server) => server.then(({ connection }) => connection.close())),
  )
}

interface Server {
  readonly actor: string
  readonly connection: PlainConnection
  readonly tools: readonly Value[]
}

interface HostState {
  readonly arena: TargetArena
  readonly checks: HostChecks
  servers: readonly Server[]
  /** The conversation as shown on the host page. */
  readonly lines: string[]
  /** Messages from apps that are waiting for the next answer. */
  readonly queue: string[]
  /** The context that the last app provided for the model. */
  context: string
}

async function connect(actor: string, url: string, signal: AbortSignal): Promise<Server> {
  const capabilities = { extensions: { [APPS_EXTENSION]: { mimeTypes: [APP_TYPE] } } }
  const connection = await connectPlainly({ url }, { signal, capabilities })
  await connection.greet()
  const listed = await connection.request('tools/list', {})
  return { actor, connection, tools: listed.ok ? ownList(listed.value, 'tools') : [] }
}

/** Answers the user's message, and then the messages that apps have added. */
async function converse(state: HostState, prompt: string): Promise<string> {
  const answers = [await answer(state, prompt)]
  for (const message of state.queue.splice(0, targetLimits.appTurns)) answers.push(await answer(state, message))
  return answers.join('\n')
}

/** Calls the tools mentioned in a message and renders their apps. */
async function answer(state: HostState, message: string): Promise<string> {
  const { checks, lines } = state
  lines.push(`User: ${message}`)
  const text = checks.context ? message : `${state.context}\n${message}`
  const results: string[] = []
  for (const { server, tool } of namedTools(state, text)) {
    const args = argumentsFrom(text, tool)
    const params = { name: ownText(tool, 'name') ?? '', arguments: args }
    const called = await server.connection.request('tools/call', params)
    const result = called.ok ? called.value : { content: [{ type: 'text', text: called.error }], isError: true }
    const texts = ownList(result, 'content').flatMap((item) => ownText(item, 'text') ?? [])
    lines.push(`${params.name}: ${texts.join('\n')}`)
    results.push(...texts)
    const uri = appOfTool(tool)
    if (uri !== undefined) await render(state, server, uri, { tool, arguments: args, result })
  }
  return results.length === 0 ? 'There is nothing to do.' : results.join('\n')
}

/** Returns the tools whose names occur in a text, in order of occurrence. */
function namedTools({ servers, checks }: HostState, text: string) {
  return servers
    .flatMap((server) =>
      server.tools.map((tool) => ({ server, tool, at: text.indexOf(ownText(tool, 'name') ?? '\0') })),
    )
    .filter(({ tool, at }) => at >= 0 && (!checks.visibility || isVisible(tool, 'model')))
    .sort((a, b) => a.at - b.at)
}

/** True if a tool may be used by the model or by apps, as given in `to`. */
function isVisible(tool: Value, to: 'model' | 'app'): boolean {
  const visibility = own(own(own(tool, '_meta') ?? null, 'ui') ?? null, 'visibility')
  return !Array.isArray(visibility) || visibility.includes(to)
}

/** Assigns the quoted words in a text to the tool's required parameters, in order. */
function argumentsFrom(text: string, tool: Value): Record<string, Value> {
  const name = ownText(tool, 'name') ?? ''
  const words = [...text.slice(text.indexOf(name) + name.length).matchAll(/"([^"\n]+)"/g)].map(([, word = '']) => word)
  const required = ownList(own(tool, 'inputSchema') ?? null, 'required').map(String)
  return Object.fromEntries(required.map((key, index) => [key, words[index] ?? '']))
}

interface ToolCall {
  readonly tool: Value
  readonly arguments: Value
  readonly result: Value
}

async function render(state: HostState, server: Server, uri: string, call: ToolCall): Promise<void> {
  const { checks, lines, arena } = state
  const app = await readApp(server, uri, checks)
  if (!app.ok) return
  const { html, csp } = app.value
  const record = (event: {
    surface: Parameters<NonNullable<TargetArena['recordApp']>>[0]['surface']
    content: Value
  }) => arena.recordApp?.({ actor: server.actor, ...event })
  const session = createAppSession({
    checks,
    call,
    record,
    deliver: (message) => view.deliver(message),
    callTool: (name, params) => callForApp(state, server, name, params),
    readResource: (params) => server.connection.request('resources/read', params),
    addMessage: (text) => state.queue.push(text),
    setContext: (text) => {
      state.context = text
    },
  })
  const view = await openView({
    html,
    csp,
    conversation: lines.join('\n'),
    isSandboxed: checks.isolation,
    onMessage: (text) => void session.take(text),
    onNetwork: record,
  })
  record({ surface: 'app/rendered', content: { uri, sandbox: checks.isolation ? SANDBOX : '', csp: csp ?? '' } })
  try {
    await view.load()
    await view.settled(session.isBusy)
    await session.end()
    await view.settled(session.isBusy)
  } finally {
    await view.close()
  }
}

interface App {
  readonly html: string
  readonly csp: string | undefined
}

async function readApp({ connection }: Server, uri: string, checks: HostChecks): Promise<Result<App, string>> {
  const read = await connection.request('resources/read', { uri })
  const [content = null] = read.ok ? ownList(read.value, 'contents') : []
  const type = ownText(content, 'mimeType')?.replaceAll(' ', '')
  if (type !== APP_TYPE || !uri.startsWith('ui://')) return err('not an app')
  const html = ownText(content, 'text') ?? Buffer.from(ownText(content, 'blob') ?? '', 'base64').toString()
  const declared = own(own(own(content, '_meta') ?? null, 'ui') ?? null, 'csp') ?? null
  return ok({ html, csp: checks.csp ? policyOf(declared) : undefined })
}

async function callForApp({ servers, checks }: HostState, server: Server, name: string, params: Value) {
  const has = ({ tools }: Server) => tools.some((tool) => ownText(tool, 'name') === name)
  const tool = server.tools.find((one) => ownText(one, 'name') === name)
  if (checks.visibility && (tool === undefined || !isVisible(tool, 'app')))
    return err(`The tool ${name} is not available to this app.`)
  const owner = has(server) ? server : (servers.find(has) ?? server)
  return owner.connection.request('tools/call', params)
}
