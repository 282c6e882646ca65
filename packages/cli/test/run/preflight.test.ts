/** `joust run --acp`, and the preflight before a command is attacked, as a user types it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Results } from '@joust/results'
import { expect, test } from 'vitest'
import { folder, joust } from '../world.ts'
import { SERVER } from './documents.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../../../targets/test/fixtures/${name}`, import.meta.url))
const able = `${process.execPath} ${fixture('preflight-agent.mjs')} {mcp_config}`
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
  expect(stderr).toContain('joust: preflight: sending the agent a harmless request\n')
  expect(stderr).toContain('joust: preflight: failed: the agent never connected')
  expect(stdout).toContain('INCOMPLETE: the preflight failed: the agent never connected')
  expect(results.stopped?.reason).toBe('preflight')
  expect(target?.attacks[0]).toMatchObject({ outcome: 'inconclusive', trials: [] })
})

test('--no-preflight still attacks, and all reports note it', async () => {
  const { stdout, target, markdown } = await run('--exec', `${able} able`, '--no-preflight')
  expect(target?.preflight).toMatchObject({ status: 'skipped', reasons: [expect.stringContaining('--no-preflight')] })
  expect(target?.attacks[0]?.trials).toHaveLength(1)
  expect(stdout).toContain('no preflight: disabled by --no-preflight')
  expect(markdown()).toContain('no preflight, disabled')
})

test('the MCP version of the preflight or the option is reported', async () => {
  const found = await run('--exec', `${able} old`)
  expect(found.stderr).toContain('with MCP 2025-06-18 as requested by the agent')
  expect(found.target).toMatchObject({ mcp_version: '2025-06-18', preflight: { status: 'passed' } })
  const given = await run('--exec', `${able} able`, '--mcp-version', '2025-03-26')
  expect(given.target?.mcp_version).toBe('2025-03-26')
})

test('--acp attacks an agent over that protocol; its permission requests are in the results', async () => {
  const { target } = await run('--acp', acp, '--approve', 'all', '--no-preflight')
  expect(target).toMatchObject({ kind: 'acp', name: acp })
  expect(target?.attacks[0]?.trials[0]?.approvals).toMatchObject([{ approved: true }])
  const denied = await run('--acp', acp)
  expect(denied.stderr).toContain('preflight: failed: the agent requested approval, which was denied (--approve all')
})

test('--acp with an agent that does not support it is wrong usage', async () => {
  const cwd = folder({ 'a.oatf.yaml': SERVER })
  const { code, stderr } = await joust(['run', 'a.oatf.yaml', '--acp', 'pydantic-ai'], { cwd })
  expect([code, stderr]).toEqual([64, expect.stringContaining('use --exec pydantic-ai')])
})
