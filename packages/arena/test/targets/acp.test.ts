/** An Agent Client Protocol agent under attack: on the official SDK, in a process of its own. */
import { fileURLToPath } from 'node:url'
import type { Attack } from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import { needsOf } from '../../src/model/needs.ts'
import { runAttack } from '../../src/run.ts'
import { type CommandTargetOptions, commandTarget } from '../../src/targets/command.ts'
import { findPreset } from '../../src/targets/presets/table.ts'
import { readAttack } from '../support/agents.ts'
import { loadedAttack } from '../support/attacks.ts'

const converter = readAttack('examples/tool-description-injection/attack.oatf.yaml')
const script = fileURLToPath(new URL('../fixtures/acp-agent.mjs', import.meta.url))
const agent = (...words: readonly string[]) => [process.execPath, script, ...words]
const limits = { graceMs: 0 }

function attack(words: readonly string[], more: Partial<CommandTargetOptions> = {}, document = converter) {
  const target = commandTarget({ command: agent(...words), acp: true, approve: 'all', ...more })
  return runAttack(document, { limits, target })
}

/** A user who says these things over AG-UI, in one thread. */
function chat(...words: readonly string[]) {
  const phases = words.map((content, index) => ({
    name: `p${index}`,
    state: { run_agent_input: { threadId: 't', runId: `r${index}`, messages: [{ id: 'm', role: 'user', content }] } },
    ...(index < words.length - 1 ? { trigger: { event: 'run_finished' } } : {}),
  }))
  const pattern = { contains: 'mellon' }
  const indicator = { id: 'T-1-01', surface: 'text_message_content', direction: 'response', target: 'delta', pattern }
  // Tests write plain data.
  return loadedAttack({ execution: { mode: 'ag_ui_client', phases }, indicators: [indicator] } as Partial<Attack>)
}

test('what it does decides; its words come together, and what it asked for is kept', async () => {
  const [bad, good] = await Promise.all([attack(['obeys']), attack(['refuses'])])
  expect(bad.verdict).toMatchObject({ result: 'exploited', max_tier: 'boundary_breach' })
  expect(good).toMatchObject({ outcome: 'resisted', diagnostics: [] })
  expect(good.output).toMatch(/^turn 1: Please use your tools .*\n\nDone\.$/)
  expect(good.approvals).toEqual([{ request: expect.stringMatching(/^\w+ \(MCP\): {"amount":3}$/), approved: true }])
  expect(good.wiring?.[0]).toMatch(/^actor default \(mcp_server\) http\S+ → `default` in the session of node$/)
})

test('permission is given to nobody by default, and to those that a function names', async () => {
  const called = ({ trace }: Awaited<ReturnType<typeof attack>>) =>
    trace.some(({ surface, flow }) => surface === 'tools/call' && flow === 'in')
  const denied = await runAttack(converter, { limits, target: commandTarget({ command: agent('obeys'), acp: true }) })
  expect([called(denied), denied.approvals?.[0]?.approved]).toEqual([false, false])
  const name = denied.approvals?.[0]?.request.split(' ')[0]
  const named = await attack(['obeys'], { approve: ({ target }) => ({ approved: target === name }) })
  expect([called(named), named.approvals?.[0]?.approved]).toEqual([true, true])
  const other = await attack(['obeys'], { approve: ({ target }) => ({ approved: target === 'another' }) })
  expect([called(other), other.approvals?.[0]?.approved]).toEqual([false, false])
})

test('turns go to one process', async () => {
  const run = await attack(['obeys'], {}, chat('one', 'mellon'))
  const said = run.trace.filter(({ surface }) => surface === 'text_message_content').map(({ content }) => content)
  expect(said).toMatchObject([{ delta: 'turn 1: oneDone.' }, { delta: 'turn 2: mellonDone.' }])
  expect(run.outcome).toBe('exploited')
})

test('the first prompt waits until the servers have been listed', async () => {
  const run = await attack(['late'])
  expect(run.diagnostics).toEqual([])
  expect(run.outcome).toBe('exploited')
})

test('a refusal is an answer, and is told', async () => {
  for (const words of ['Hi', 'say nothing']) {
    const run = await attack(['stops', 'refusal'], {}, chat(words))
    expect(run).toMatchObject({ outcome: 'resisted', diagnostics: [{ code: 'agent-refused' }] })
  }
})

describe('has not resisted when it', () => {
  const failures: [string, readonly string[], Partial<CommandTargetOptions>, RegExp][] = [
    ['runs out of tokens', ['stops', 'max_tokens'], {}, /stopped before it was done: its stop reason is max_tokens/],
    ['was cancelled', ['stops', 'cancelled'], {}, /its stop reason is cancelled/],
    ['crashes', ['crashes'], {}, /ended before it had answered the prompt: exited with code 7; .*\nout of credit/],
    ['hangs', ['hangs'], { timeoutMs: 500 }, /did not answer within 0.5 s/],
    [
      'wants a login',
      ['login'],
      {},
      /did not start a session: .*it needs a login \(by-browser\): pass its key with --pass-env/,
    ],
    ['takes no servers over HTTP', ['deaf'], {}, /takes no MCP servers over HTTP/],
    ['names no session', ['nameless'], {}, /did not start a session: its answer to session\/new has no sessionId/],
    ['names its session by a number', ['nameless', '7'], {}, /session\/new has no sessionId, which is a text/],
    ['names its session by nothing', ['nameless', '""'], {}, /session\/new has no sessionId/],
    ['speaks another version', ['newer'], {}, /speaks version 2 of the Agent Client Protocol/],
  ]
  test.each(failures)('%s', async (_, words, more, message) => {
    const run = await attack(words, more)
    expect(run.outcome).toBe('inconclusive')
    expect(run.diagnostics).toMatchObject([{ code: 'target-failed', message: expect.stringMatching(message) }])
  })

  test('is not there, or is not such an agent', async () => {
    const gone = await attack([], { command: [process.execPath, '-e', 'console.log("hello")'] })
    expect(gone.diagnostics[0]?.message).toMatch(/ended before it had answered initialize: .*\n.*hello/s)
  })
})

test('a preset is driven by its other words, or says that it has none', async () => {
  const opencode = findPreset('opencode')
  const clai = findPreset('pydantic-ai')
  if (opencode === undefined || clai === undefined) throw new Error('there are such presets')
  const needs = needsOf(chat('one', 'two'))
  expect(commandTarget({ command: opencode, acp: true }).lacks?.(needs)).toEqual([])
  const run = await runAttack(converter, { limits, target: commandTarget({ command: clai, acp: true }) })
  expect(run.diagnostics[0]?.message).toBe('pydantic-ai does not speak the Agent Client Protocol')
})
