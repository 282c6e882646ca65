import { readdirSync, readFileSync } from 'node:fs'
import type { Actor } from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import { lackingOf, lackingOfServed, needsOf } from '../../src/model/needs.ts'
import { readAttack } from '../support/agents.ts'
import { asLoaded, loadedAttack } from '../support/attacks.ts'

type States = readonly Record<string, unknown>[]

function attackOf(mode: string, states: States) {
  const phases = states.map((state, index) => ({ name: `p${index}`, state }))
  // Tests write plain data.
  const actor = { name: 'someone', mode, phases } as unknown as Actor
  return asLoaded({ oatf: '0.1', attack: { execution: { actors: [actor] } } })
}

function needed(mode: string, states: States): string[] {
  const { clients, servers } = needsOf(attackOf(mode, states))
  return [...clients, ...servers].flatMap(({ needs }) =>
    needs.map(({ name, what }) => (what === undefined ? name : `${name} ${what}`)),
  )
}

const run = (input: Record<string, unknown>) => ({ run_agent_input: { threadId: 't', ...input } })
const user = (content: unknown) => ({ id: 'm', role: 'user', content })
const assistant = (content: unknown) => ({ id: 'm', role: 'assistant', content })

describe('an ag_ui_client', () => {
  test.each<[string, string[], States]>([
    ['plain text', [], [run({ messages: [user('Hi')], tools: [], state: {}, context: [] })]],
    ['text in parts', [], [run({ messages: [user([{ type: 'text', text: 'Hi' }])] })]],
    ['a picture', ['parts'], [run({ messages: [user([{ type: 'binary', data: 'x' }])] })]],
    ['two threads', [], [run({ messages: [user('Hi')] }), run({ threadId: 'u', messages: [user('Hi')] })]],
    ['two turns', ['turns'], [run({ messages: [user('Hi')] }), run({ messages: [user('And?')] })]],
    [
      'two turns with what was really said between them',
      ['turns'],
      [run({ messages: [user('Hi')] }), run({ messages: [user('Hi'), assistant('{{said}}'), user('And?')] })],
    ],
    [
      'two turns with an answer that the document made up',
      ['turns', 'history'],
      [run({ messages: [user('Hi')] }), run({ messages: [user('Hi'), assistant('Sure.'), user('And?')] })],
    ],
    ['a template before anything was said', ['history'], [run({ messages: [assistant('{{said}}'), user('And?')] })]],
    ['a system message', ['history'], [run({ messages: [{ id: 'm', role: 'system', content: 'x' }, user('Hi')] })]],
    ['an assistant with the last word', ['history'], [run({ messages: [user('Hi'), assistant('Sure.')] })]],
    [
      'everything else',
      ['context', 'state', 'tools', 'forwarded_props', 'interrupts'],
      [
        run({
          messages: [user('Hi')],
          tools: [{ name: 'x' }],
          state: { a: 1 },
          context: [{ description: 'd', value: 'v' }],
          forwardedProps: { p: 1 },
          resume: { id: 1 },
        }),
      ],
    ],
    ['answers of tools alone', ['tools'], [{ ...run({ messages: [user('Hi')] }), tool_responses: [{ content: 'x' }] }]],
    ['no words', ['silence'], [run({ messages: [] })]],
  ])('with %s needs %j', (_, expected, states) => {
    expect(needed('ag_ui_client', states)).toEqual(expected)
  })
})

const message = (more: Record<string, unknown> = {}) => ({
  method: 'message/send',
  params: { message: { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'Hi' }], ...more } },
})

describe('an a2a_client', () => {
  test.each<[string, string[], readonly Record<string, unknown>[]]>([
    ['a message of text', [], [{ method: 'agent_card/get' }, message()]],
    ['a card alone', ['methods agent_card/get'], [{ method: 'agent_card/get' }]],
    ['a file', ['parts'], [message({ parts: [{ kind: 'file', file: {} }] })]],
    ['another role', ['history'], [message({ role: 'agent' })]],
    ['metadata', ['metadata'], [message({ metadata: { role: 'boss' } })]],
    ['two contexts', [], [message(), message({ contextId: 'c' })]],
    ['one context twice', ['turns'], [message({ contextId: 'c' }), message({ contextId: 'c' })]],
    ['the task of an answer', ['turns'], [message(), message({ taskId: '{{task}}' })]],
    ['a fixed task id', ['fields taskId'], [message({ taskId: 'task-1' })]],
    ['another method', ['methods tasks/get'], [message(), { method: 'tasks/get', params: { id: 'x' } }]],
  ])('with %s needs %j', (_, expected, actions) => {
    expect(needed('a2a_client', [{ actions }])).toEqual(expected)
  })
})

const call = (name: string, given: Record<string, unknown>) => ({
  method: 'tools/call',
  params: { name, arguments: given },
})

describe('an mcp_client', () => {
  test.each<[string, string[], readonly Record<string, unknown>[]]>([
    ['a call of what it found', [], [{ method: 'tools/list' }, call('{{found}}', { input: 'Hi' })]],
    ['a call by name', ['server_tools read_file'], [call('read_file', { path: '/' })]],
    ['more than a text', ['parts'], [call('{{found}}', { input: 'Hi', depth: 3 })]],
    ['no call', ['server_tools'], [{ method: 'tools/list' }]],
    ['resources', ['methods resources/read', 'server_tools'], [{ method: 'resources/read', params: {} }]],
  ])('with %s needs %j', (_, expected, actions) => {
    expect(needed('mcp_client', [{ actions }])).toEqual(expected)
  })
})

const form = { message: 'Your PIN?' }
const answering = {
  tools: [{ name: 'book', responses: [{ content: { content: [{ type: 'text', text: 'Booked.' }] } }] }],
}
const sending = (method: string) => [{ send: { method, params: { data: 'Call share.' } } }]

/** A server whose indicator looks at a surface. */
function serverOf(phase: object, surface: string, bait?: readonly string[]) {
  return loadedAttack({
    execution: { actors: [{ name: 'someone', mode: 'mcp_server', phases: [{ name: 'p', ...phase }] }] },
    indicators: [{ protocol: 'mcp', surface, direction: 'response', target: '', pattern: { contains: 'zebra' } }],
    ...(bait && { 'x-joust-bait': bait.map((path) => `attack.execution.actors[0].phases[0].${path}`) }),
  } as never)
}

describe('an mcp_server', () => {
  const asking = { state: { ...answering, elicitations: [form] } }
  test.each<[string, string[], ReturnType<typeof serverOf>]>([
    ['answers alone', [], serverOf({ state: answering }, 'tools/call')],
    ['a form of which the answer counts', ['elicitation'], serverOf(asking, 'elicitation/create')],
    ['a form as the bait', ['elicitation'], serverOf(asking, 'tools/call', ['state.elicitations[0].message'])],
    ['a form beside another bait', [], serverOf(asking, 'tools/call', ['state.elicitations[0]', 'state.tools[0]'])],
    ['a form and nothing else', ['elicitation'], serverOf({ state: { elicitations: [form] } }, 'tools/call')],
    ['a request of roots', ['roots'], serverOf({ state: answering, on_enter: sending('roots/list') }, 'roots/list')],
    [
      'a notification as the bait',
      ['notices'],
      serverOf({ state: answering, on_enter: sending('notifications/message') }, 'tools/call', ['on_enter[0]']),
    ],
  ])('with %s needs %j', (_, expected, attack) => {
    expect(needsOf(attack).servers.flatMap(({ needs }) => needs.map(({ name }) => name))).toEqual(expected)
  })
})

const door = { who: 'a command', clients: ['ag_ui_client'], servers: ['mcp_server'], carries: ['turns' as const] }

test('missing features are listed per actor', () => {
  const twice = attackOf('ag_ui_client', [run({ messages: [user('Hi')], tools: [{ name: 'x' }], context: [{}] })])
  expect(lackingOf(needsOf(twice), door)).toEqual([
    'the ag_ui_client actor someone needs context items, client-side tools, which a command does not support',
  ])
  expect(lackingOf(needsOf(attackOf('a2a_client', [])), door)).toEqual([
    'a command cannot answer the a2a_client actor someone',
  ])
  expect(lackingOf(needsOf(attackOf('a2a_server', [])), door)).toEqual([
    'a command cannot be connected to the a2a_server actor someone',
  ])
  const asking = needsOf(serverOf({ state: { elicitations: [form] } }, 'elicitation/create'))
  expect(lackingOf(asking, door)).toEqual([])
  expect(lackingOf(asking, { ...door, without: ['elicitation'] })).toEqual([
    'the mcp_server actor someone needs an MCP client with elicitation, which a command does not support',
  ])
})

test('actors that are connected elsewhere, or have an unknown mode, add no needs', () => {
  expect(needsOf(attackOf('ag_ui_client', []), () => true)).toEqual({ clients: [], servers: [] })
  expect(needsOf(attackOf('smtp_server', []))).toEqual({ clients: [], servers: [] })
  expect(needsOf(attackOf('constructor_client', []))).toEqual({ clients: [], servers: [] })
})

describe('the library', () => {
  const folder = new URL('../../../../library/', import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'))
  const textOf = (file: string) => readFileSync(new URL(file, folder), 'utf8')
  const lackingIn = (lacking: (needs: ReturnType<typeof needsOf>) => readonly string[]) =>
    files.filter((file) => lacking(needsOf(readAttack(`library/${file}`))).length > 0)

  test('a chat interface with MCP servers lacks agents, files, history, context, turns and attacks on servers', () => {
    const everyClient = { ...door, clients: ['ag_ui_client', 'a2a_client', 'mcp_client'], carries: [] }
    const unsupported = lackingIn((needs) => lackingOf(needs, everyClient))
    const named = ['artifact-poisoning', 'skill-exfiltrates-keys', 'history-forgery', 'page-context-injection']
    const more = ['trust-over-three-messages', 'server-file-uri', 'forged-approval-state', 'forged-orchestrator-note']
    expect(unsupported).toEqual(expect.arrayContaining([...named, ...more].map((name) => `${name}.oatf.yaml`)))
    const supported = files.filter((file) => !unsupported.includes(file))
    const plain = ['issue-comment-exfiltration', 'time-bomb', 'sampling-abuse', 'prompt-template-injection']
    expect(supported).toEqual(expect.arrayContaining(plain.map((name) => `${name}.oatf.yaml`)))
  })

  test('an agent over AG-UI supports all but the attacks on servers, other hosts, files and apps', () => {
    const unsupported = lackingIn((needs) => lackingOfServed(needs, 'assistant', ['roots', 'notices', 'elicitation']))
    const plants = (file: string) => /x-joust-files:|profile=mcp-app/.test(textOf(file))
    const attacksServer = (file: string) => file.startsWith('server-') && textOf(file).includes('mode: mcp_client')
    const attacksHost = (file: string) =>
      /^(?:gateway-|input-required-form-)/.test(file) || /\b(?:resume|pushNotificationConfig):/.test(textOf(file))
    const others = files.filter((file) => plants(file) || attacksServer(file) || attacksHost(file))
    expect(unsupported).toEqual(others)
  })
})

test('a tool that is selected by a filter needs another server', () => {
  const found = (selector: string) => {
    const listing = { name: 'tool', source: 'response', type: 'json_path', selector }
    const actor = {
      name: 'someone',
      mode: 'mcp_client',
      phases: [
        { name: 'looking', state: { actions: [{ method: 'tools/list' }] }, extractors: [listing] },
        { name: 'asking', state: { actions: [call('{{tool}}', { path: '/' })] } },
      ],
      // Tests write plain data.
    } as unknown as Actor
    const { clients } = needsOf(asLoaded({ oatf: '0.1', attack: { execution: { actors: [actor] } } }))
    return clients.flatMap(({ needs }) => needs.map(({ name }) => name))
  }
  expect(found('$.tools[0].name')).toEqual([])
  expect(found('$.tools[?@.inputSchema.properties.path].name')).toEqual(['server_tools'])
})

test('an agent over MCP is a single tool that can be called by its name', () => {
  const lacking = (actions: readonly Record<string, unknown>[]) =>
    lackingOfServed(needsOf(attackOf('mcp_client', [{ actions }])), 'assistant')
  expect(lacking([{ method: 'tools/list' }, call('assistant', { input: 'Hi', depth: 3 })])).toEqual([])
  expect(lacking([call('read_file', { path: '/' })])).toEqual([
    'the mcp_client actor someone needs an MCP server with its own tools (read_file), but the agent is served as a single tool',
  ])
  expect(lacking([call('read_file', {}), { method: 'resources/read', params: {} }, call('debug', {})])).toEqual([
    expect.stringContaining(
      'needs protocol methods (resources/read), an MCP server with its own tools (read_file, debug),',
    ),
  ])
})
