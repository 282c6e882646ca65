import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkAgents } from '../../src/agent/check-agents.ts'
import { agentText, teamText } from '../agents.ts'
import { folder, memoryIo } from '../world.ts'

async function check(files: { readonly [name: string]: string }, given = Object.keys(files), from = '.') {
  const root = folder(files)
  const cwd = join(root, from)
  const entries = given.map((name) => ({
    name: `${from === '.' ? '' : '../'}${name}`,
    path: join(root, name),
    text: files[name] ?? '',
  }))
  const reports = await checkAgents(entries, memoryIo({ cwd }).io)
  return Object.fromEntries(reports.map(({ name, diagnostics }) => [name, diagnostics.map(({ code }) => code)]))
}

test('unreferenced files are loaded, and referenced ones are reported once', async () => {
  const files = { 'a.yaml': agentText(), 'team.yaml': teamText('a.yaml', 'b.yaml'), 'b.yaml': agentText() }
  expect(await check(files)).toEqual({ 'team.yaml': [], 'a.yaml': [], 'b.yaml': [] })
})

test('a sub-agent in a deeper folder may name files of the upper one', async () => {
  const files = { 'sub/b.yaml': teamText('../c.yaml'), 'c.yaml': agentText(), 'team.yaml': teamText('sub/b.yaml') }
  expect(await check(files)).toEqual({ 'team.yaml': [], 'sub/b.yaml': [], 'c.yaml': [] })
  expect(await check(files, ['sub/b.yaml'])).toEqual({ 'sub/b.yaml': ['unresolvable_source'] })
  const broken = { ...files, 'team.yaml': teamText('sub/b.yaml').replace('name: team, ', '') }
  expect(await check(broken)).toEqual({ 'team.yaml': ['schema_violation'], 'sub/b.yaml': [], 'c.yaml': [] })
})

test('files that only refer to each other are loaded as well', async () => {
  const found = await check({ 'a.yaml': teamText('b.yaml'), 'b.yaml': teamText('a.yaml') })
  expect(Object.keys(found).sort()).toEqual(['a.yaml', 'b.yaml'])
  expect(Object.values(found).flat()).toContain('agent_cycle')
})

test('an agent that names itself is still a root', async () => {
  expect(await check({ 'a.yaml': teamText('a.yaml') })).toEqual({ 'a.yaml': ['agent_cycle'] })
})

test('a file counts once, by any relative name', async () => {
  const files = { 'team.yaml': teamText('here/b.yaml'), 'here/b.yaml': agentText() }
  expect(Object.keys(await check(files, undefined, 'here'))).toEqual(['../team.yaml', '../here/b.yaml'])
})

test('text that is not an agent is reported, too', async () => {
  expect(await check({ 'a.yaml': '[' })).toEqual({ 'a.yaml': ['yaml_syntax'] })
})
