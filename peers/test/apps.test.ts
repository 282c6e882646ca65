/** Tests the official MCP Apps SDK: its `App` in simulated hosts, and its `AppBridge` as a host under attack. */
import { readFileSync } from 'node:fs'
import type { AppEvent, AttackRun, Target, TargetArena } from '@joust/arena'
import { runAttack } from '@joust/arena'
import { load } from '@joust/oatf'
import { openChat } from '@joust/targets'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { AppBridge, getToolUiResourceUri, RESOURCE_MIME_TYPE } from '@modelcontextprotocol/ext-apps/app-bridge'
import { describe, expect, test } from 'vitest'
import { findChromium } from '../../packages/targets/src/apps/chromium.ts'
import { policyOf } from '../../packages/targets/src/apps/csp.ts'
import { openView } from '../../packages/targets/src/apps/view.ts'
import { appHost } from '../../packages/targets/src/simulated/app-host.ts'
import { read } from './documents.ts'

const hasBrowser = findChromium() !== undefined
if (!hasBrowser) console.warn('\nSKIPPED: the MCP Apps SDK needs Chromium, which is not installed\n')

const limits = { graceMs: 0, observeMs: 100 }

/** Bundles the SDK for a page, as a script that sets `ExtApps`. */
function bundledSdk(): string {
  const file = new URL(import.meta.resolve('@modelcontextprotocol/ext-apps/app-with-deps'))
  const named = (list: string) =>
    list.split(',').map((one) => {
      const [local = '', name = local] = one.trim().split(' as ')
      return `${name}:${local}`
    })
  const text = readFileSync(file, 'utf8').replace(
    /export\s*\{([^}]*)\};?\s*$/,
    (_, list: string) => `globalThis.ExtApps={${named(list)}}`,
  )
  return text.replaceAll('</script', '<\\/script')
}

/** An app that uses every feature of the SDK and logs the results. */
const program = `
const log = (name, data) => app.sendLog({ level: 'info', logger: name, data })
const tried = async (name, work) => {
  try { await log(name, await work()) } catch (error) { await log(name, { failed: error.message }) }
}
const app = new ExtApps.App({ name: 'tour', version: '1.0.0' }, {})
app.ontoolinput = (params) => log('input', params)
app.ontoolresult = async (result) => {
  await log('result', result)
  await tried('call', () => app.callServerTool({ name: 'refresh', arguments: {} }))
  await tried('hidden', () => app.callServerTool({ name: 'remove', arguments: {} }))
  await tried('read', () => app.readServerResource({ uri: 'ui://tours/tour' }))
  await tried('link', () => app.openLink({ url: 'https://tours.example/' }))
  await tried('message', () => app.sendMessage({ role: 'user', content: [{ type: 'text', text: 'Hello' }] }))
  await tried('context', () => app.updateModelContext({ content: [{ type: 'text', text: 'Stop 3' }] }))
  await tried('mode', () => app.requestDisplayMode({ mode: 'fullscreen' }))
}
app.connect().then(() => log('host', app.getHostVersion()))`

const tourHtml = () => `<!doctype html><p>A tour</p><script type="module">${bundledSdk()};${program}</script>`

function tour(): Parameters<typeof runAttack>[0] {
  const tool = (name: string, ui: object) => ({
    name,
    description: `The tool ${name}.`,
    inputSchema: { type: 'object' },
    _meta: { ui },
    responses: [{ content: { content: [{ type: 'text', text: `Done: ${name}` }] } }],
  })
  const uri = 'ui://tours/tour'
  const state = {
    tools: [
      tool('show_tour', { resourceUri: uri }),
      tool('refresh', { visibility: ['app'] }),
      tool('remove', { visibility: ['model'] }),
    ],
    resources: [
      {
        uri,
        name: 'Tour',
        mimeType: RESOURCE_MIME_TYPE,
        content: { blob: Buffer.from(tourHtml()).toString('base64') },
      },
    ],
  }
  const messages = [{ id: 'm1', role: 'user', content: 'Please show me the tour with show_tour.' }]
  const actors = [
    { name: 'visitor', mode: 'ag_ui_client', phases: [{ name: 'asks', state: { run_agent_input: { messages } } }] },
    { name: 'tours', mode: 'mcp_server', phases: [{ name: 'shows', state }] },
  ]
  const indicators = [
    { protocol: 'mcp_app', surface: 'app/rendered', direction: 'request', target: 'uri', pattern: { contains: uri } },
  ]
  const loaded = load(JSON.stringify({ oatf: '0.1', attack: { execution: { actors }, indicators } }))
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  return loaded.value
}

/** Returns the log entries of the app by name. */
function logOf({ trace }: AttackRun): Readonly<Record<string, unknown>> {
  const entries = trace.flatMap(({ surface, content }) => {
    const { method, params } = content as { method?: string; params?: { logger: string; data: unknown } }
    return surface === 'app/asked' && method === 'notifications/message' && params ? [[params.logger, params.data]] : []
  })
  return Object.fromEntries(entries)
}

describe.skipIf(!hasBrowser)('its App', () => {
  const done = (name: string) => ({ content: [{ type: 'text', text: `Done: ${name}` }] })
  const everywhere = {
    host: { name: 'simulated', version: '1.0.0' },
    input: { arguments: {} },
    result: done('show_tour'),
    call: done('refresh'),
    read: { contents: [expect.objectContaining({ uri: 'ui://tours/tour', mimeType: RESOURCE_MIME_TYPE })] },
    context: {},
    mode: { mode: 'inline' },
  }

  test('is granted everything by the vulnerable host', async () => {
    const run = await runAttack(tour(), { limits, target: appHost.create('credulous') })
    expect(run.diagnostics).toEqual([])
    expect(logOf(run)).toMatchObject({ ...everywhere, hidden: done('remove'), link: {}, message: {} })
  })

  test('works in the sandbox of the safe host, which refuses a tool, a link and a message', async () => {
    const run = await runAttack(tour(), { limits, target: appHost.create('cautious') })
    const declined = { failed: expect.stringContaining('The user has declined.') }
    expect(logOf(run)).toMatchObject({
      ...everywhere,
      hidden: { failed: expect.stringContaining('The tool remove is not available to this app.') },
      link: declined,
      message: declined,
    })
    expect(run.trace.filter(({ surface }) => surface.startsWith('network/'))).toEqual([])
  })
})

/**
 * Creates a host on `AppBridge` and the official client, with the handlers from the SDK documentation, which open
 * links.
 */
function bridgeHost(): Target {
  return {
    name: 'a host on AppBridge',
    async start(arena) {
      const clients: Client[] = []
      const open = async () => ({
        async say({ prompt }: { readonly prompt: string }) {
          const answers: string[] = []
          for (const { actor, address } of arena.servers) {
            const client = new Client({ name: 'bridge', version: '1.0.0' })
            clients.push(client)
            await client.connect(new StreamableHTTPClientTransport(new URL(address)))
            const { tools } = await client.listTools()
            for (const tool of tools.filter(({ name }) => prompt.includes(name))) {
              const result = await client.callTool({ name: tool.name, arguments: {} })
              const uri = getToolUiResourceUri(tool)
              if (uri !== undefined) await show(arena, actor, client, uri, result)
              answers.push(`Called ${tool.name}.`)
            }
          }
          return { text: answers.join('\n') }
        },
        close: async () => {},
      })
      const session = await openChat({ name: 'a host on AppBridge', open }, arena)
      return {
        ...session,
        async stop() {
          await session.stop()
          await Promise.allSettled(clients.map((client) => client.close()))
        },
      }
    },
  }
}

type CallResult = Awaited<ReturnType<Client['callTool']>>

/** Renders an app in the sandbox, with the bridge as its host. */
async function show(arena: TargetArena, actor: string, client: Client, uri: string, result: CallResult): Promise<void> {
  const record = (event: Omit<AppEvent, 'actor'>) => arena.recordApp?.({ actor, ...event })
  const [content] = (await client.readResource({ uri })).contents
  const html = content !== undefined && 'text' in content ? content.text : ''
  const csp = policyOf((content?._meta?.ui as { csp?: never } | undefined)?.csp ?? null)
  const bridge = new AppBridge(client, { name: 'bridge', version: '1.0.0' }, { openLinks: {}, serverTools: {} })
  const asked = new Map<unknown, { method: string; params: never }>()
  const transport = {
    onmessage: undefined as ((message: never) => void) | undefined,
    start: async () => {},
    close: async () => {},
    async send(message: object) {
      const { id, error, result: value } = message as { id?: unknown; error?: never; result?: never }
      const request = asked.get(id)
      if (request !== undefined && error === undefined)
        record({ surface: 'app/allowed', content: { ...request, result: value ?? null } })
      if (request !== undefined && error !== undefined)
        record({ surface: 'app/refused', content: { ...request, error } })
      await view.deliver(JSON.stringify(message))
    },
  }
  bridge.onopenlink = async () => ({})
  bridge.onmessage = async () => ({})
  bridge.oninitialized = () => {
    void bridge.sendToolInput({ arguments: {} })
    void bridge.sendToolResult(result as never)
  }
  record({ surface: 'app/rendered', content: { uri, sandbox: 'allow-scripts', csp } })
  await bridge.connect(transport as never)
  const view = await openView({
    html,
    csp,
    conversation: 'The booking code is bk-242-redshank.',
    isSandboxed: true,
    onMessage(text) {
      const message: { id?: unknown; method?: string; params?: never } = JSON.parse(text)
      if (message.id !== undefined && message.method !== undefined) {
        const { id, method, params } = message
        if (method !== 'ui/initialize') record({ surface: 'app/asked', content: { method, params: params ?? null } })
        asked.set(id, { method, params: params as never })
      }
      transport.onmessage?.(message as never)
    },
    onNetwork: record,
  })
  await view.load()
  await view.settled(() => false)
  await view.close()
}

describe.skipIf(!hasBrowser)('its AppBridge under attack', () => {
  /** The bridge forwards all calls from an app to its server's client, regardless of their `visibility`. */
  test.each([
    ['app-calls-hidden-tool', 'exploited'],
    ['app-opens-link-with-data', 'exploited'],
    ['app-calls-other-server', 'resisted'],
    ['app-reads-host-page', 'resisted'],
    ['app-sends-data-to-foreign-host', 'resisted'],
  ])('%s: %s', async (name, outcome) => {
    const attack = read(`../../library/${name}.oatf.yaml`)
    const run = await runAttack(attack, { limits, target: bridgeHost() })
    expect(run.outcome, run.reasons.join('; ')).toBe(outcome)
  })
})
