/** Presets of agents. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSource, type Value, writeYaml } from '@joust/source'
import { afterAll, describe, expect, test } from 'vitest'
import { runAttack } from '../../../arena/src/run.ts'
import { readAttack } from '../../../arena/test/support/agents.ts'
import { placeholdersIn } from '../../src/command/placeholders.ts'
import { installedVersion, isTried } from '../../src/command/version.ts'
import { commandTarget } from '../../src/command.ts'
import { type Preset, readPreset } from '../../src/presets/preset.ts'
import { findPreset, presets } from '../../src/presets/table.ts'

const bin = mkdtempSync(join(tmpdir(), 'presets-'))
afterAll(() => rmSync(bin, { recursive: true, force: true }))

/** Creates a program with this name and script on a separate PATH. */
function program(name: string, script: string): Record<string, string> {
  const file = join(bin, name)
  writeFileSync(file, `#!/usr/bin/env node\n${script}`)
  chmodSync(file, 0o755)
  return { PATH: `${bin}:${process.env.PATH}` }
}

describe.each(presets.map((preset) => [preset.name, preset] as const))('%s', (name, preset) => {
  test('is plain data that a project file could contain', () => {
    const { name: _, ...row } = preset
    const read = readSource(writeYaml(row as unknown as Value))
    expect(read.ok && readPreset(name, read.value.value)).toEqual({ ok: true, value: preset })
  })

  test('has separate configuration, telemetry and keys', () => {
    expect(findPreset(name)).toBe(preset)
    const { command, next = [], files = [], keys = [], logins = [] } = preset
    for (const { path } of [...files, ...logins.map((login) => ({ path: login }))])
      expect(path).not.toMatch(/^[/~]|\.\./)
    expect(keys.length).toBeGreaterThan(0)
    const known = ['mcp_config', 'work', 'home', 'prompt', 'model']
    expect(known).toEqual(expect.arrayContaining([...placeholdersIn([...command, ...next])]))
    // The prompt is a word of its own, never part of a flag.
    expect(command.filter((word) => word.includes('{prompt}') && word !== '{prompt}')).toEqual([])
  })
})

const attack = readAttack('library/error-message-injection.oatf.yaml')
const show = `
  const fs = require('node:fs'), path = require('node:path')
  const files = fs.readdirSync(process.env.HOME, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const texts = files.map((file) => [path.relative(process.env.HOME, path.join(file.parentPath, file.name)), fs.readFileSync(path.join(file.parentPath, file.name), 'utf8')])
  const { HOME, OPENAI_API_KEY, SECRET, GEMINI_API_KEY } = process.env
  console.log(JSON.stringify({ words: process.argv.slice(2), stdin: fs.readFileSync(0, 'utf8'), files: Object.fromEntries(texts), cwd: process.cwd(), env: { HOME, OPENAI_API_KEY, SECRET, GEMINI_API_KEY } }))`

async function seenBy(preset: Preset, more: Record<string, string> = {}, model?: string) {
  const environment = { ...program(preset.command[0] ?? '', show), SECRET: 's', ...more }
  const target = commandTarget({ command: preset, name: preset.name, environment, ...(model && { model }) })
  const run = await runAttack(attack, { limits: { graceMs: 0 }, target })
  return { run, seen: JSON.parse(run.output ?? '') }
}

test('codex gets its configuration and its key, and nothing else', async () => {
  const preset = presets.find(({ name }) => name === 'codex') as Preset
  const { run, seen } = await seenBy(preset, { OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'g' }, 'm-1')
  const url = run.actors.find(({ name }) => name === 'pipeline')?.address
  expect(seen.files['.codex/config.toml']).toContain('model = "m-1"\n')
  expect(seen.files['.codex/config.toml']).toContain('base_url = "https://api.openai.com/v1"')
  expect(seen.files['.codex/config.toml']).toContain(`[mcp_servers."pipeline"]\nurl = "${url}"\n`)
  expect(seen.words).toEqual(['exec', '--skip-git-repo-check', '-C', seen.cwd, '-'])
  expect(seen.stdin).toBe('Please deploy a preview of the branch feature-checkout.')
  expect(seen.env).toEqual({ HOME: expect.not.stringMatching(homedir()), OPENAI_API_KEY: 'k' })
})

test('servers are added to the mapping of a JSON configuration', async () => {
  const preset = presets.find(({ name }) => name === 'gemini') as Preset
  const { run, seen } = await seenBy(preset)
  const url = run.actors.find(({ name }) => name === 'pipeline')?.address
  const settings = JSON.parse(seen.files['.gemini/settings.json'])
  expect(settings.mcpServers).toEqual({ pipeline: { httpUrl: url, trust: true } })
  expect(settings.privacy).toEqual({ usageStatisticsEnabled: false })
})

test('server actors use the MCP version of the preset, unless the document sets one', async () => {
  const hello = `
    const settings = JSON.parse(require('node:fs').readFileSync(process.argv[2], 'utf8'))
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } } })
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    fetch(settings.mcpServers.pipeline.url, { method: 'POST', headers, body }).then((r) => r.text()).then((text) => console.log(text))`
  const preset = { name: 'a', about: 'a', command: ['hello', '{mcp_config}'], mcp_version: '2025-06-18' }
  const target = commandTarget({ command: preset, environment: program('hello', hello) })
  const run = await runAttack(attack, { limits: { graceMs: 0 }, target })
  expect(run.output).toContain('"protocolVersion":"2025-06-18"')
})

test('a preset that writes into its home cannot use the home of the user', async () => {
  const preset = presets.find(({ name }) => name === 'codex') as Preset
  const target = commandTarget({ command: preset, name: 'codex', useHome: true, environment: program('codex', show) })
  const run = await runAttack(attack, { limits: { graceMs: 0 }, target })
  expect(run.outcome).toBe('inconclusive')
  expect(run.diagnostics).toMatchObject([{ code: 'target-failed', message: expect.stringContaining('cannot be used') }])
})

test('a file outside the home is refused', async () => {
  const preset = { name: 'a', about: 'a', command: ['a'], files: [{ path: '../x', text: '' }] }
  const run = await runAttack(attack, { limits: { graceMs: 0 }, target: commandTarget({ command: preset }) })
  expect(run.diagnostics[0]?.message).toContain('is outside the home')
})

test('the installed version', async () => {
  const preset = { name: 'a', about: 'a', command: ['teller'], version: ['teller', '--version'], tried: '1.18.3' }
  expect(await installedVersion(preset, program('teller', 'console.log("teller v1.18.33 (x)")'))).toEqual({
    ok: true,
    value: '1.18.33',
  })
  expect(isTried(preset, '1.18.33')).toBe(true)
  expect(isTried(preset, '1.19.0')).toBe(false)
  const absent = { ...preset, version: ['no-such-agent', '--version'] }
  expect(await installedVersion(absent)).toMatchObject({ ok: false, error: expect.stringContaining('no-such-agent') })
})

test.each<[string, Value, string]>([
  ['no command', {}, 'mine.command: the field "command" is required'],
  ['an empty command', { command: [] }, 'mine.command: expected at least one word'],
  ['an unknown field', { command: ['a'], comand: 1 }, 'mine.comand'],
  ['a wrong need', { command: ['a'], carries: ['toolz'] }, 'mine.carries[0]'],
])('a preset of a user with %s', (_, given, message) => {
  const read = readPreset('mine', given)
  expect(read.ok ? '' : read.error.join('\n')).toContain(message)
})
