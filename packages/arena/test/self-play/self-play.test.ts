/** Documents whose client actors attack their server actors: no agent, real sockets. */
import { readFileSync } from 'node:fs'
import { load } from '@joust/oatf'
import { expect, test } from 'vitest'
import type { AttackOptions } from '../../src/model/options.ts'
import { type AttackRun, runAttack } from '../../src/run.ts'
import { createMemoryHttp } from '../../src/transport/memory-http.ts'

async function play(name: string, wire: Record<string, string>, options: AttackOptions = {}): Promise<AttackRun> {
  const loaded = load(readFileSync(new URL(`${name}.oatf.yaml`, import.meta.url), 'utf8'))
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  return runAttack(loaded.value, { wire, limits: { graceMs: 0, observeMs: 0 }, ...options })
}

const mcp = { client: 'server' }
const results = (run: AttackRun) => run.verdict.indicator_verdicts.map(({ result }) => result)
const codes = (run: AttackRun) => run.diagnostics.map(({ code }) => code)
const contents = (run: AttackRun, actor: string, flow: string, surface: string) =>
  run.trace
    .filter((entry) => entry.actor === actor && entry.flow === flow && entry.surface === surface)
    .map((entry) => entry.content)
const phases = (run: AttackRun, actor: string) =>
  run.actors.find(({ name }) => name === actor)?.phases.map(({ phase, reason }) => `${phase} ${reason}`)

test('rug pull: the second, terminal phase serves, and the client is notified', async () => {
  const run = await play('rug-pull', mcp)
  expect(codes(run)).toEqual([])
  expect(run.verdict).toMatchObject({ result: 'exploited', max_tier: 'local_action' })
  expect(phases(run, 'server')).toEqual(['honest start', 'swapped event_matched'])
  expect(phases(run, 'client')).toEqual(['first start', 'again event_matched'])
  const answers = contents(run, 'client', 'in', 'tools/call').map((content) => JSON.stringify(content))
  expect(answers.map((answer) => /honest|swapped|open/.exec(answer)?.[0])).toEqual(['honest', 'swapped', 'open'])
  expect(run.actors.map(({ status }) => status)).toEqual(['serving', 'finished'])
})

test('time bomb: the phase changes without traffic', async () => {
  const run = await play('time-bomb', mcp)
  expect(run.verdict.result).toBe('exploited')
  expect(phases(run, 'server')).toEqual(['quiet start', 'armed timeout'])
  const lists = contents(run, 'client', 'in', 'tools/list')
  expect(lists).toMatchObject([{ tools: [{ name: 'calm' }] }, { tools: [{ name: 'boom' }] }])
})

test('four actors relay an extracted secret from MCP to A2A', async () => {
  const run = await play('relay', { clerk: 'desk', courier: 'agent' })
  expect(codes(run)).toEqual([])
  expect(run.verdict).toMatchObject({ result: 'exploited', max_tier: 'boundary_breach' })
})

test('streaming task: items are projected to their events', async () => {
  const run = await play('streaming-task', { caller: 'agent' })
  expect(results(run)).toEqual(['matched', 'matched', 'matched'])
  expect(phases(run, 'caller')).toEqual(['asking start', 'after event_matched'])
})

test('elicitation phishing: the answer of a call can use the reply', async () => {
  const run = await play('elicitation-phishing', mcp)
  expect(codes(run)).toEqual([])
  expect(run.verdict).toMatchObject({ result: 'exploited', max_tier: 'boundary_breach' })
  expect(contents(run, 'client', 'in', 'elicitation/create')).toMatchObject([
    { message: 'Please confirm the password of ada.', mode: 'form' },
  ])
  expect(contents(run, 'client', 'in', 'tools/call')).toMatchObject([{ content: [{ text: 'welcome, hunter2' }] }])
})

test('sampling: a request at the entry of a phase is awaited and traced', async () => {
  const run = await play('sampling', mcp)
  expect(run.verdict.result).toBe('exploited')
  expect(contents(run, 'server', 'out', 'sampling/createMessage')).toMatchObject([{ maxTokens: 10 }])
  expect(contents(run, 'server', 'in', 'sampling/createMessage')).toMatchObject([{ role: 'assistant' }])
})

test('resources and prompts', async () => {
  const run = await play('resources-and-prompts', mcp)
  expect(codes(run)).toEqual([])
  expect(results(run)).toEqual(['matched', 'matched', 'matched', 'matched'])
})

test('chained actions: an action can use the answer to the previous one', async () => {
  const run = await play('chained-actions', mcp)
  expect(codes(run)).toEqual(['W-004'])
  const sent = contents(run, 'client', 'out', 'tools/call')
  expect(sent).toMatchObject([
    { arguments: { token: '' } },
    { arguments: { token: 'token-1' } },
    { arguments: { token: 'token-1+1' } },
  ])
  expect(run.verdict.result).toBe('exploited')
})

test('correlation all with one of two matches is partial', async () => {
  const run = await play('partial', mcp)
  expect(run.verdict).toMatchObject({ result: 'partial', evaluation_summary: { matched: 1, not_matched: 1 } })
})

test('surface, direction, actor and protocol filter messages', async () => {
  const run = await play('filters', mcp)
  expect(results(run)).toEqual(['not_matched', 'matched', 'not_matched', 'skipped', 'not_matched'])
})

test('an unknown mode is skipped, the rest runs', async () => {
  const run = await play('unknown-mode', mcp)
  expect(codes(run)).toEqual(['unknown-mode'])
  expect(run.actors.map(({ status }) => status)).toEqual(['skipped', 'serving', 'finished'])
  expect(results(run)).toEqual(['matched', 'skipped'])
  expect(run.verdict.result).toBe('exploited')
})

test('without a client: an error, never a pass', async () => {
  const run = await play('nobody-comes', {}, { limits: { phaseMs: 50, graceMs: 0 } })
  expect(run.ended).toBe('done')
  expect(codes(run)).toEqual(['phase-expired'])
  expect(results(run)).toEqual(['skipped'])
  expect(run.outcome).toBe('inconclusive')
})

test('no indicators: an error, though the attack ran', async () => {
  const run = await play('no-indicators', mcp)
  expect(run.trace.length).toBeGreaterThan(4)
  expect(run.verdict).toMatchObject({ result: 'error', diagnostics: [{ code: 'no-indicators' }] })
})

test('malformed content is sent as written', async () => {
  const run = await play('malformed-content', mcp)
  expect(contents(run, 'server', 'out', 'initialize')).toMatchObject([{ serverInfo: ['not', 'a', 'mapping'] }])
  expect(contents(run, 'server', 'in', 'initialize')).toMatchObject([{ clientInfo: 'anonymous' }])
  const answers = contents(run, 'client', 'in', 'tools/call')
  expect(answers.slice(0, 2)).toEqual(['just text', 42])
  expect(answers[2]).toMatchObject({ content: 'not a list', isError: 'maybe', extra: { deep: [null] } })
  expect(answers[3]).toMatchObject({ code: -32602 })
  expect(JSON.stringify(contents(run, 'client', 'in', 'tools/list'))).toContain(
    '"inputSchema":7,"__proto__":{"polluted":true}',
  )
  expect(contents(run, 'client', 'in', 'made/up')).toMatchObject([{ code: -32601 }])
  expect(run.verdict.result).toBe('exploited')
})

test('x-joust-verbatim: content is sent unchanged', async () => {
  const { listen, send } = createMemoryHttp()
  const bodies: string[] = []
  const { origin: url } = await listen(async ({ body }, reply) => {
    bodies.push(new TextDecoder().decode(body))
    reply.head(200, { 'content-type': 'text/event-stream' })
    await reply.write('data: {"type":"RUN_FINISHED"}\n\n')
    await reply.end()
  })
  const connect = { front: { kind: 'http', url, send } } as const
  const run = await play('verbatim', { ...mcp, caller: 'agent' }, { connect })

  expect(bodies).toEqual(['{"messages":[]}', '{"state":7}'])
  expect(contents(run, 'server', 'out', 'tools/call')).toEqual([[{ type: 'text', text: 'bare' }]])
  expect(contents(run, 'server', 'out', 'prompts/get')).toEqual([{ messages: [] }])
  const page = { mode: 'url', message: 'Go there', url: 'https://forms.example', requestedSchema: {} }
  expect(contents(run, 'server', 'out', 'elicitation/create')).toEqual([
    { mode: 'form', message: 'Your name?', url: 'https://forms.example' },
    // MCP asks for the id, and so the binding has the runtime make one (§7.1.4).
    { ...page, elicitationId: expect.any(String) },
  ])
  expect(contents(run, 'agent', 'out', 'agent_card/get')).toEqual([{ name: 'Nameless' }])
  expect(contents(run, 'agent', 'out', 'message/send')).toEqual([
    { role: 'agent', parts: [] },
    { status: { state: 'completed' } },
    // A default response.
    { kind: 'task', id: expect.any(String), contextId: expect.any(String), status: { state: 'completed' } },
  ])
  expect(contents(run, 'agent', 'out', 'message/stream')).toEqual([
    { status: { state: 'completed' } },
    { kind: 'status-update', status: { state: 'completed' }, final: true },
  ])
})

test('wire 9: in an exchange started by a server, its message is the request and the reply is the response', async () => {
  const run = await play('elicitation-phishing', mcp)
  const sides = (actor: string) =>
    run.trace
      .filter((entry) => entry.actor === actor && entry.surface === 'elicitation/create')
      .map(({ flow, direction }) => `${flow} ${direction}`)
  expect(sides('server')).toEqual(['out request', 'in response'])
  expect(sides('client')).toEqual(['in request', 'out response'])
})

test('headers: sent by a state and an action, matched by a trigger, an extractor, an answer and indicators', async () => {
  const run = await play('headers', mcp)
  expect(codes(run)).toEqual([])
  // The last indicator names no headers, so it sees only the content.
  expect(results(run)).toEqual(['matched', 'matched', 'not_matched'])
  expect(phases(run, 'server')).toEqual(['waiting start', 'keyed event_matched'])
  expect(contents(run, 'client', 'in', 'tools/call')).toMatchObject([
    { content: [{ text: 'no key' }] },
    { content: [{ text: 'key secret' }] },
  ])
  const [first] = run.trace.filter(
    ({ actor, flow, surface }) => `${actor} ${flow} ${surface}` === 'server in tools/call',
  )
  expect(first).toMatchObject({ content: { name: 't' }, headers: { 'x-who': 'mallory' } })
  expect(first?.content).not.toHaveProperty('x-joust-headers')
})
