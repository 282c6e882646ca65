/** A command under attack: a small agent in a process of its own, over real sockets. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { RunOptions } from '../../src/model/options.ts'
import { runAttack } from '../../src/run.ts'
import { type CommandTargetOptions, commandTarget } from '../../src/targets/command.ts'
import { readAttack } from '../support/agents.ts'
import { dead } from '../support/processes.ts'

const converter = readAttack('examples/tool-description-injection/attack.oatf.yaml')
const script = fileURLToPath(new URL('../fixtures/mcp-agent.mjs', import.meta.url))
const agent = (behaviour: string) => [process.execPath, script, '{mcp_config}', behaviour]

function attack(options: CommandTargetOptions, more: RunOptions = {}) {
  return runAttack(converter, { limits: { graceMs: 0 }, ...more, target: commandTarget(options) })
}

test('what it does decides, and what it prints is kept', async () => {
  const [bad, good] = await Promise.all(['obeys', 'refuses'].map((what) => attack({ command: agent(what) })))
  expect(bad?.verdict).toMatchObject({ result: 'exploited', max_tier: 'boundary_breach' })
  expect(good?.verdict.result).toBe('not_exploited')
  expect([...(bad?.diagnostics ?? []), ...(good?.diagnostics ?? [])]).toEqual([])
  expect(bad?.output).toContain('prompt: Please use your tools')
  expect(bad?.output).toContain('same: true')
})

test('as it is typed: quotes, placeholders, one word each', async () => {
  const command = `"${process.execPath}" '${script}' {mcp_config} refuses {prompt} url={default.url} '{{prompt}}' "a b"`
  const run = await attack({ command, prompt: `What's "new"?` })
  expect(run.verdict.result).toBe('not_exploited')
  const address = run.actors[0]?.address
  expect(run.output).toContain(`words: ${JSON.stringify([`What's "new"?`, `url=${address}`, '{prompt}', 'a b'])}`)
  expect(run.wiring).toEqual([
    `actor default (mcp_server) ${address} → \`default\` in the MCP configuration of node`,
    `no client actor: the agent is asked through node "What's \\"new\\"?"`,
  ])
})

test('the environment has what the command needs, and nothing that names us', async () => {
  const print = 'process.stdout.write(JSON.stringify(process.env))'
  const run = await attack({ command: [process.execPath, '-e', print], prompt: 'Hello', env: { MINE: '1' } })
  const found = JSON.parse(run.output ?? '')
  expect(found).toMatchObject({ PROMPT: 'Hello', MINE: '1', DEFAULT_URL: run.actors[0]?.address })
  const added = Object.entries(found).filter(([name, value]) => process.env[name] !== value)
  expect(JSON.stringify(added)).not.toMatch(/joust|oatf|arena|attack/i)
  // The configuration is gone with the run.
  expect(existsSync(found.MCP_CONFIG)).toBe(false)
})

describe('is an error, whatever was seen, when the command', () => {
  const failures: [string, CommandTargetOptions, RegExp][] = [
    [
      'exits with another code',
      { command: agent('fails') },
      /^the command exited with code 1; its output ends with:\n(?:.*\n)*out of credit$/,
    ],
    ['does not end', { command: agent('hangs'), timeoutMs: 1500 }, /^the command did not end within 1.5 s; /],
    [
      'says nothing',
      { command: [process.execPath, '-e', 'process.exit(3)'] },
      /^the command exited with code 3; it printed nothing$/,
    ],
    ['is not there', { command: 'no-such-program --flag' }, /^cannot start "no-such-program": .*ENOENT/],
    ['has an open quote', { command: 'agent "' }, /^the command agent " has a " that is not closed$/],
    [
      'has an unknown placeholder',
      { command: 'agent {mcp_confg} {default.url}' },
      /^the command has the placeholder \{mcp_confg\}; there are \{mcp_config\}, \{prompt\}, \{default\.url\}\. Did you mean "mcp_config"\?$/,
    ],
  ]
  test.each(failures)('%s', async (_, options, message) => {
    const run = await attack(options)
    expect(run.outcome).toBe('inconclusive')
    expect(run.diagnostics).toMatchObject([{ code: 'target-failed', message: expect.stringMatching(message) }])
  })
})

const childOf = (output = '') => Number(/child: (\d+)/.exec(output)?.[1])

test('what it leaves behind goes with it', async () => {
  const run = await attack({ command: agent('leaves') })
  expect(run.verdict.result).toBe('not_exploited')
  expect(childOf(run.output)).toBeGreaterThan(0)
  await dead(childOf(run.output))
})

test('a run that is stopped ends the command and what it has started, and says only that', async () => {
  const stop = new AbortController()
  const onEvent: RunOptions['onEvent'] = (event) => {
    if (event.kind === 'message-recorded' && event.entry.surface === 'tools/call') stop.abort()
  }
  const run = await attack({ command: agent('hangs') }, { signal: stop.signal, onEvent })
  expect(run.ended).toBe('interrupted')
  expect(run.diagnostics.map(({ code }) => code)).toEqual(['interrupted'])
  expect(childOf(run.output)).toBeGreaterThan(0)
  await dead(childOf(run.output))
})

test('a document with a client actor does not apply to a command', async () => {
  const relay = readAttack('examples/cross-protocol-relay/attack.oatf.yaml')
  const run = await runAttack(relay, { limits: { graceMs: 0 }, target: commandTarget({ command: 'agent' }) })
  expect(run).toMatchObject({
    outcome: 'not_applicable',
    reasons: ['a command cannot answer the ag_ui_client actor reader'],
    trace: [],
  })
})
