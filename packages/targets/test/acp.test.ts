/** An Agent Client Protocol agent under attack: on the official SDK, in a process of its own. */
import { fileURLToPath } from 'node:url'
import type { Attack } from '@joust/oatf'
import { describe, expect, test } from 'vitest'
import { needsOf } from '../../arena/src/model/needs.ts'
import { runAttack } from '../../arena/src/run.ts'
import { readAttack } from '../../arena/test/support/agents.ts'
import { loadedAttack } from '../../arena/test/support/attacks.ts'
import { type CommandTargetOptions, commandTarget } from '../src/command.ts'
import { findPreset } from '../src/presets/table.ts'

const converter = readAttack('examples/tool-description-injection/attack.oatf.yaml')
const script = fileURLToPath(new URL('fixtures/acp-agent.mjs', import.meta.url))
const agent = (...words: readonly string[]) => [process.execPath, script, ...words]
const limits = { graceMs: 0 }

function attack(words: readonly string[], more: Partial<CommandTargetOptions> = {}, document = converter) {
  const target = commandTarget({ command: agent(...words), acp: true, approve: 'all', ...more })
  return runAttack(document, { limits, target })
}

/** An attack that sends these messages over AG-UI, in one thread. */
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

test('tool calls decide the outcome; text and permission requests are recorded', async () => {
  const [bad, good] = await Promise.all([attack(['obeys']), attack(['refuses'])])
  expect(bad.verdict).toMatchObject({ result: 'exploited', max_tier: 'boundary_breach' })
  expect(good).toMatchObject({ outcome: 'resisted', diagnostics: [] })
  expect(good.output).toMatch(/^turn 1: Please use your tools .*\n\nDone\.$/)
  expect(good.approvals).toEqual([{ request: expect.stringMatching(/^\w+ \(MCP\): {"amount":3}$/), approved: true }])
  expect(good.wiring?.[0]).toMatch(/^actor default \(mcp_server\) http\S+ → `default` in the session of node$/)
})

test('permissions are denied by default, and granted by a function', async () => {
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

test('the turns of a conversation share a process', async () => {
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

test('a refusal is an answer and is reported', async () => {
  for (const words of ['Hi', 'say nothing']) {
    const run = await attack(['stops', 'refusal'], {}, chat(words))
    expect(run).toMatchObject({ outcome: 'resisted', diagnostics: [{ code: 'agent-refused' }] })
  }
})

describe('has not resisted when it', () => {
  const failures: [string, readonly string[], Partial<CommandTargetOptions>, RegExp][] = [
    ['runs out of tokens', ['stops', 'max_tokens'], {}, /stopped early: stop reason max_tokens/],
    ['was cancelled', ['stops', 'cancelled'], {}, /stop reason cancelled/],
    ['crashes', ['crashes'], {}, /exited before it answered the prompt: exited with code 7: out of credit/],
    ['hangs', ['hangs'], { timeoutMs: 500 }, /did not answer within 0.5 s/],
    [
      'requires a login',
      ['login'],
      {},
      /did not start a session: .*login required \(by-browser\): pass the agent's API key with --pass-env/,
    ],
    ['does not support servers over HTTP', ['deaf'], {}, /does not support MCP servers over HTTP/],
    ['returns no session id', ['nameless'], {}, /did not start a session: the session\/new response has no sessionId/],
    ['returns a number as session id', ['nameless', '7'], {}, /session\/new response has no sessionId/],
    ['returns an empty session id', ['nameless', '""'], {}, /session\/new response has no sessionId/],
    ['uses another version', ['newer'], {}, /uses Agent Client Protocol version 2, expected 1/],
  ]
  test.each(failures)('%s', async (_, words, more, message) => {
    const run = await attack(words, more)
    expect(run.outcome).toBe('inconclusive')
    expect(run.diagnostics).toMatchObject([{ code: 'target-failed', message: expect.stringMatching(message) }])
  })

  test('exits during the handshake', async () => {
    const gone = await attack([], { command: [process.execPath, '-e', 'console.log("hello")'] })
    expect(gone.diagnostics[0]?.message).toMatch(/exited before it answered initialize: exited with code 0: hello/)
  })
})

test('a preset uses its command for the protocol, or reports that it has none', async () => {
  const opencode = findPreset('opencode')
  const clai = findPreset('pydantic-ai')
  if (opencode === undefined || clai === undefined) throw new Error('missing presets')
  const needs = needsOf(chat('one', 'two'))
  expect(commandTarget({ command: opencode, acp: true }).lacks?.(needs)).toEqual([])
  const run = await runAttack(converter, { limits, target: commandTarget({ command: clai, acp: true }) })
  expect(run.diagnostics[0]?.message).toBe('pydantic-ai does not support the Agent Client Protocol')
})
