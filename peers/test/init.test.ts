/**
 * Connects agents from the documentation of their frameworks with `joust init --yes`, and attacks them with `joust
 * run`. Three of them by default. With PEERS=init, all whose packages `init/install.mjs` has installed, and the record
 * is rewritten.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Results } from '@joust/results'
import { afterAll, describe, expect, test } from 'vitest'
import { peers } from './documents.ts'
import { type InitRecord, type InitRow, initFile } from './init-record.ts'
import { attacksOf, joust } from './joust.ts'
import { writePage } from './library-record.ts'

const PATIENCE_MS = 180_000
const home = join(peers, 'init')
const isRecorded = process.env.PEERS === 'init'
const all = readdirSync(home, { withFileTypes: true }).filter((entry) => entry.isDirectory())
const names = isRecorded ? all.map(({ name }) => name) : ['ai-sdk', 'openai-agents-js', 'pydantic-ai']
const record: Record<string, InitRow> = {}

/** Returns the packages of a row: its own, or those of all peers. */
function packagesOf(name: string): { readonly link: string; readonly path: string } {
  const link = existsSync(join(home, name, 'package.json')) ? 'node_modules' : '.venv'
  const own = join(home, name, link)
  return { link, path: isRecorded ? own : join(peers, link) }
}

/** Returns the version of the first package in the row. */
function versionOf(name: string, packages: string): string {
  const manifest = join(home, name, 'package.json')
  const [first = ''] = existsSync(manifest)
    ? Object.keys(JSON.parse(readFileSync(manifest, 'utf8')).dependencies).filter((one) => frameworks.includes(one))
    : readFileSync(join(home, name, 'requirements.txt'), 'utf8').split(/[[\n]/)
  if (existsSync(manifest)) return JSON.parse(readFileSync(join(packages, first, 'package.json'), 'utf8')).version
  const [python = ''] = readdirSync(join(packages, 'lib')).filter((one) => one.startsWith('python'))
  const folders = readdirSync(join(packages, 'lib', python, 'site-packages'))
  const prefix = `${first.replaceAll('-', '_')}-`
  return folders.find((one) => one.startsWith(prefix) && one.endsWith('.dist-info'))?.slice(prefix.length, -10) ?? ''
}

const frameworks = ['ai', '@openai/agents', 'langchain', '@mastra/core', '@voltagent/core', 'genkit']

/** Copies a row with its packages. */
function folderOf(name: string, { link, path }: ReturnType<typeof packagesOf>): string {
  const cwd = mkdtempSync(join(tmpdir(), 'joust-init-'))
  cpSync(join(home, name), cwd, { recursive: true, filter: (from) => !/node_modules|\.venv|__pycache__/.test(from) })
  symlinkSync(path, join(cwd, link))
  return cwd
}

async function attack(cwd: string, model: string): Promise<readonly string[]> {
  const argv = ['run', 'attacks', '--with-model', model, '--out', model.replace('/', '-'), '--quiet']
  const { output } = await joust(argv, {}, PATIENCE_MS, cwd)
  const file = join(cwd, model.replace('/', '-'), 'results.json')
  if (!existsSync(file)) return [output]
  const results: Results = JSON.parse(readFileSync(file, 'utf8'))
  return attacksOf(results).map(({ outcome }) => outcome)
}

describe('two commands', () => {
  for (const name of names) {
    const packages = packagesOf(name)
    test.skipIf(!existsSync(packages.path))(name, { timeout: 4 * PATIENCE_MS }, async () => {
      const cwd = folderOf(name, packages)
      try {
        const { code, output } = await joust(['init', '--yes'], {}, PATIENCE_MS, cwd)
        expect([code, output]).toEqual([0, expect.stringMatching(/\nNext: joust run +attacks mine\n/)])
        expect(output).toMatch(/ tool call +ok\n/)
        const [, memory = ''] = / memory +(.+)\n/.exec(output) ?? []
        expect(memory).toBe('remembers the first message')
        const [obeys, refuses] = [await attack(cwd, 'sim/credulous'), await attack(cwd, 'sim/cautious')]
        expect([obeys, refuses]).toEqual([['exploited'], ['resisted']])
        const date = new Date().toISOString().slice(0, 10)
        const outcomes = { obeys: obeys.join(), refuses: refuses.join() }
        record[name] = { version: versionOf(name, packages.path), date, memory: 'kept', ...outcomes }
      } finally {
        rmSync(cwd, { recursive: true, force: true })
      }
    })
  }
})

afterAll(() => {
  if (!isRecorded) return
  const before: InitRecord = existsSync(initFile) ? JSON.parse(readFileSync(initFile, 'utf8')) : {}
  writeFileSync(initFile, `${JSON.stringify({ ...before, ...record }, null, 2)}\n`)
  writePage()
})
