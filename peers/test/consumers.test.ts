/**
 * Installs the packed packages with a package manager and runs the programs in `consumers`. This requires network
 * access, unlike the other tests here: `npm run peers:consumers`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repositoryRoot } from '../../scripts/repository.ts'
import { pack } from '../../test/packed.ts'

const root = repositoryRoot()
const isAsked = process.env.PEERS === 'consumers'
if (!isAsked) process.stderr.write('SKIPPED: packages are installed in projects only by npm run peers:consumers\n')

const formats = 'exploited matched,matched false\n'

describe.runIf(isAsked)('installed in a project', { timeout: 180_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'joust-consumers-'))
  const project = join(home, 'project')
  const tarballs = join(home, 'tarballs')

  beforeAll(() => {
    mkdirSync(tarballs)
    cpSync(join(root, 'peers/consumers'), project, { recursive: true })
    pack(
      readdirSync(join(root, 'packages')).filter((folder) => !['cli', 'studio'].includes(folder)),
      tarballs,
    )
    const files = readdirSync(tarballs).map((name) => join(tarballs, name))
    const { status, stderr } = run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...files])
    if (status !== 0) throw new Error(stderr)
  }, 300_000)
  afterAll(() => rmSync(home, { recursive: true, force: true }), 60_000)

  test('ES modules', () => {
    expect(node('formats.mjs')).toMatchObject({ status: 0, stdout: formats })
  })

  test('CommonJS', () => {
    expect(node('required.cjs')).toMatchObject({ status: 0, stdout: 'JOUST-127 function\n' })
  })

  test.each(['typescript', 'typescript-7'])('%s: a strict program, tools with Zod, Valibot and ArkType', (name) => {
    const checked = node(`node_modules/${name}/bin/tsc`, '-p', '.')
    expect(checked).toMatchObject({ status: 0, stdout: '' })
    const { status, stdout, stderr } = node('typed/typed.mjs')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^zod JOUST invalid arguments: word: .* \{"word":\{"type":"string"\}\}$/),
      // Valibot schemas are converted to JSON Schema with another package.
      expect.stringMatching(/^valibot JOUST invalid arguments: word: .* null$/),
      expect.stringMatching(/^arktype JOUST invalid arguments: word: .* \{"word":\{"type":"string"\}\}$/),
    ])
    rmSync(join(project, 'typed'), { recursive: true })
  })

  test('Vite bundles the formats for a browser', () => {
    const program = `
import { build } from 'vite'
const lib = { entry: 'formats.mjs', formats: ['es'], fileName: 'formats' }
await build({ configFile: false, logLevel: 'warn', build: { lib, outDir: 'bundled', target: 'es2022' } })`
    expect(node('--input-type=module', '-e', program)).toMatchObject({ status: 0, stderr: '' })
    expect(node('bundled/formats.js')).toMatchObject({ status: 0, stdout: formats })
  })

  test.each([
    ['bun', ['run', 'formats.mjs']],
    ['deno', ['run', '--no-remote', '--node-modules-dir=manual', 'formats.mjs']],
  ])('%s', (name, argv) => {
    const program = join(project, 'node_modules/.bin', name)
    const { status } = run(program, ['--version'])
    if (status !== 0) return void process.stderr.write(`SKIPPED: ${name} does not start here\n`)
    expect(run(program, argv)).toMatchObject({ status: 0, stdout: formats })
  })

  test.each([
    ['sim/cautious', 0, /1 passed/],
    ['sim/credulous', 1, /expected sim\/credulous to resist JOUST-\d+[\s\S]*trace: \S+\.jsonl/],
  ])('Jest: the matcher with %s', (model, status, text) => {
    const env = { MODEL: model, NODE_OPTIONS: '--experimental-vm-modules' }
    const ended = run(process.execPath, ['node_modules/jest/bin/jest.js', '--testMatch', '**/jest/*.test.mjs'], env)
    expect({ status: ended.status, text: ended.stdout + ended.stderr }).toEqual({
      status,
      text: expect.stringMatching(text),
    })
  })

  function node(...argv: string[]) {
    return run(process.execPath, argv)
  }

  function run(command: string, argv: readonly string[], variables: Readonly<Record<string, string>> = {}) {
    const env = { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '', VITEST: undefined, ...variables }
    const { status, stdout, stderr } = spawnSync(command, argv, { cwd: project, env, encoding: 'utf8' })
    return { status, stdout, stderr }
  }
})
