/** `joust run --exec` as a user types it: small agents in processes of their own. */
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Results } from '@joust/results'
import { describe, expect, test } from 'vitest'
import { SERVER, USER } from '../run/documents.ts'
import { folder, joust } from '../world.ts'

const quiet = ['--grace', '0', '--quiet', '--report', 'json', '--out', 'out']

/** Repeats what it gets on standard input, or as its arguments. */
const ECHO = `
const fs = require('node:fs')
const given = process.argv[2] === 'words' ? process.argv.slice(3).join('|') : fs.readFileSync(0, 'utf8')
console.error('working')
if (process.env.CRASH) process.exit(3)
console.log(process.env.SAY ?? given)`

const node = process.execPath
const trialIn = (cwd: string) => {
  const results: Results = JSON.parse(readFileSync(join(cwd, 'out/results.json'), 'utf8'))
  const [target] = results.targets
  return { target, attack: target?.attacks[0], trial: target?.attacks[0]?.trials[0] }
}

describe('a client actor before a command', () => {
  const run = async (words: readonly string[], env: Record<string, string> = {}) => {
    const cwd = folder({ 'u.oatf.yaml': USER, 'echo.cjs': ECHO })
    const outcome = await joust(['run', 'u.oatf.yaml', ...words, ...quiet], { cwd, env: { ...process.env, ...env } })
    return { ...outcome, ...trialIn(cwd) }
  }

  test('the results have the answer, the output and the exit code, under the typed name', async () => {
    const { target, trial } = await run(['--exec', `${node} echo.cjs`])
    expect(target).toMatchObject({ kind: 'command', name: `${node} echo.cjs` })
    expect(trial).toMatchObject({ answer: 'hello', exit_code: 0, printed: expect.stringContaining('working') })
  })

  test('variables reach it only when they are named', async () => {
    expect((await run(['--exec', `${node} echo.cjs`], { SAY: 'x' })).trial?.answer).toBe('hello')
    expect((await run(['--exec', `${node} echo.cjs`, '--pass-env', 'SAY'], { SAY: 'x' })).trial?.answer).toBe('x')
  })

  test('a crash is inconclusive, with the end of the output', async () => {
    const words = ['--exec', `${node} echo.cjs`, '--pass-env', 'CRASH', '--no-preflight']
    const { code, attack } = await run(words, { CRASH: '1' })
    expect(code).toBe(5)
    expect(attack?.outcome).toBe('inconclusive')
    expect(attack?.reasons.join('\n')).toMatch(/exited with code 3: /)
  })
})

describe('--dry-run', () => {
  test('lists attacks that do not apply, and starts nothing', async () => {
    const context = 'context: [{ description: page, value: shop }], messages:'
    const cwd = folder({ 'u.oatf.yaml': USER.replace('messages:', context) })
    const dry = async (...words: readonly string[]) =>
      (await joust(['run', 'u.oatf.yaml', '--exec', '/nowhere', ...words, '--dry-run'], { cwd })).stdout
    expect(await dry()).toContain('not applicable: the ag_ui_client actor')
    expect(await dry('--paste', 'context')).not.toContain('not applicable')
  })
})

describe('presets', () => {
  const installed = (version: string) => {
    const script = `#!/usr/bin/env node
if (process.argv.includes('--version')) console.log('codex-cli ${version}')
else console.log('Hello.')`
    const cwd = folder({ 'a.oatf.yaml': SERVER, 'bin/codex': script })
    chmodSync(join(cwd, 'bin/codex'), 0o755)
    return { cwd, env: { ...process.env, PATH: `${join(cwd, 'bin')}:${process.env.PATH}` } }
  }
  const run = (world: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }, ...words: readonly string[]) =>
    joust(
      [
        'run',
        'a.oatf.yaml',
        '--exec',
        'codex',
        '--no-preflight',
        ...words,
        '--grace',
        '0',
        '--report',
        'json',
        '--out',
        'out',
      ],
      world,
    )

  test('one word is a preset, and an untested version is reported', async () => {
    const world = installed('9.1.0')
    const { stderr } = await run(world)
    expect(stderr).toContain('codex 9.1.0 is installed; its preset was tested with 0.166.0')
    const { target, trial } = trialIn(world.cwd)
    expect(target).toMatchObject({ kind: 'command', name: 'codex', details: { version: '9.1.0' } })
    expect(trial?.answer).toBe('Hello.')
    expect((await run(installed('0.166.7'))).stderr).not.toContain('is installed')
  })

  test('a preset that is not installed, or a redundant option, is wrong usage', async () => {
    const { cwd } = installed('1.0.0')
    const absent = await run({ cwd, env: { PATH: join(cwd, 'empty') } })
    expect(absent.code).toBe(64)
    expect(absent.stderr).toContain('cannot start "codex"')
    const told = await run(installed('1.0.0'), '--answer-path', 'a')
    expect([told.code, told.stderr]).toEqual([64, expect.stringContaining('--answer-path cannot be used with')])
    const model = await joust(['run', 'a.oatf.yaml', '--exec', 'my-agent', '--exec-model', 'x'], { cwd })
    expect([model.code, model.stderr]).toEqual([
      64,
      expect.stringContaining('--exec-model can only be used with a preset'),
    ])
  })

  test('list and show', async () => {
    const list = await joust(['presets', 'list'])
    expect(list.stdout).toMatch(/^codex +tested with 0\.166\.0/)
    expect(list.stdout).toMatch(/^claude +not tested/m)
    const json = await joust(['presets', 'list', '--json'])
    expect(JSON.parse(json.stdout).map(({ name }: { name: string }) => name)).toContain('pydantic-ai')
    expect((await joust(['presets', 'show', 'gemini'])).stdout).toContain("mcp_version: '2025-06-18'")
    const wrong = await joust(['presets', 'show', 'codx'])
    expect([wrong.code, wrong.stderr]).toEqual([64, expect.stringContaining('did you mean codex?')])
  })
})
