/** `joust run --acp`, and the control before a command is attacked, as a user types it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Results } from '@joust/arena'
import { expect, test } from 'vitest'
import { folder, joust } from '../world.ts'
import { SERVER } from './documents.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../../../arena/test/fixtures/${name}`, import.meta.url))
const able = `${process.execPath} ${fixture('control-agent.mjs')} {mcp_config}`
const acp = `${process.execPath} ${fixture('acp-agent.mjs')} obeys`

async function run(...words: readonly string[]) {
  const cwd = folder({ 'a.oatf.yaml': SERVER })
  const argv = ['run', 'a.oatf.yaml', ...words, '--grace', '0', '--report', 'md', '--out', 'out']
  const outcome = await joust(argv, { cwd })
  const file = (name: string) => readFileSync(join(cwd, 'out', name), 'utf8')
  const results: Results = JSON.parse(file('results.json'))
  return { ...outcome, results, target: results.targets[0], markdown: () => file('summary.md') }
}

test('an agent that cannot use tools ends the suite with the reason', async () => {
  const { code, stdout, stderr, results, target } = await run('--exec', `${able} deaf`)
  expect(code).toBe(5)
  expect(stderr).toContain('joust: control: asking the agent something harmless first\n')
  expect(stderr).toContain('joust: control: failed: the agent never connected to the MCP server')
  expect(stdout).toContain('NOT COMPLETE: the control failed: the agent never connected')
  expect(results.stopped?.reason).toBe('control')
  expect(target?.attacks[0]).toMatchObject({ outcome: 'inconclusive', trials: [] })
})

test('--no-control attacks all the same, and everything that is written says so', async () => {
  const { stdout, target, markdown } = await run('--exec', `${able} able`, '--no-control')
  expect(target?.control).toMatchObject({ status: 'skipped', reasons: [expect.stringContaining('--no-control')] })
  expect(target?.attacks[0]?.trials).toHaveLength(1)
  expect(stdout).toContain('no control: it was switched off by --no-control')
  expect(markdown()).toContain('no control, it was switched off')
})

test('the version of MCP that the control found, or that was given, is told', async () => {
  const found = await run('--exec', `${able} old`)
  expect(found.stderr).toContain('with MCP 2025-06-18, which it asks for')
  expect(found.target).toMatchObject({ mcp_version: '2025-06-18', control: { status: 'passed' } })
  const given = await run('--exec', `${able} able`, '--mcp-version', '2025-03-26')
  expect(given.target?.mcp_version).toBe('2025-03-26')
})

test('--acp attacks an agent of that protocol; what it asked for is in the results', async () => {
  const { target } = await run('--acp', acp, '--approve', 'all', '--no-control')
  expect(target).toMatchObject({ kind: 'acp', name: acp })
  expect(target?.attacks[0]?.trials[0]?.approvals).toMatchObject([{ approved: true }])
  const denied = await run('--acp', acp)
  expect(denied.stderr).toContain('control: failed: the agent asked for approval, which was not given; --approve all')
})

test('--acp with an agent that does not speak it is wrong usage', async () => {
  const cwd = folder({ 'a.oatf.yaml': SERVER })
  const { code, stderr } = await joust(['run', 'a.oatf.yaml', '--acp', 'pydantic-ai'], { cwd })
  expect([code, stderr]).toEqual([64, expect.stringContaining('--exec pydantic-ai attacks it')])
})
