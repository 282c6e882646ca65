import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { adaptiveLimits } from '../../src/limits.ts'
import { createProofCache } from '../../src/prover.ts'

const key = { fingerprint: 'a1b2' }
const result = { proven: true, unspecific: false }

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'joust-proofs-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('an entry is found again by its conditions only, in files for this user', () => {
  const home = join(folder(), 'joust/proofs')
  const cache = createProofCache(home)
  expect(cache.read(key)).toBeUndefined()
  cache.write(key, result)
  cache.write({ ...key, strict: true }, { proven: false, unspecific: false })
  expect(createProofCache(home).read(key)).toEqual(result)
  expect(cache.read({ ...key, strict: true })).toEqual({ proven: false, unspecific: false })
  expect(cache.read({ ...key, judge: 'sim/silent' })).toBeUndefined()
  expect(cache.read({ fingerprint: 'b' })).toBeUndefined()
  if (process.platform === 'win32') return
  expect(statSync(home).mode & 0o777).toBe(0o700)
  for (const file of readdirSync(home)) expect(statSync(join(home, file)).mode & 0o777).toBe(0o600)
})

describe('a broken entry is a miss, and is replaced', () => {
  test.each<[string, (text: string) => string]>([
    ['empty', () => ''],
    ['cut', (text) => text.slice(0, -20)],
    ['another type', () => '[true]'],
    ['another version of Joust', (text) => text.replace(/"joust":"[^"]*"/, '"joust":"0.0.0"')],
    ['another simulation', (text) => text.replace(/"simulation":\d+/, '"simulation":0')],
    ['another document', (text) => text.replace('a1b2', 'a1b3')],
    ['another word', (text) => text.replace('"proven":true', '"proven":"yes"')],
    ['too large', (text) => `${' '.repeat(adaptiveLimits.proofBytes)}${text}`],
  ])('%s', (_, change) => {
    const home = folder()
    const cache = createProofCache(home)
    cache.write(key, result)
    const file = join(home, readdirSync(home)[0] ?? '')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, change(text))
    expect(cache.read(key)).toBeUndefined()
    cache.write(key, result)
    expect(cache.read(key)).toEqual(result)
  })
})

test('without a usable folder, nothing is cached and nothing fails', () => {
  const home = folder()
  writeFileSync(join(home, 'file'), '')
  const cache = createProofCache(join(home, 'file/proofs'))
  cache.write(key, result)
  expect(cache.read(key)).toBeUndefined()
})

test.skipIf(process.platform === 'win32')('a folder that others can change is not used', () => {
  const home = folder()
  const cache = createProofCache(home)
  cache.write(key, result)
  chmodSync(home, 0o777)
  expect(cache.read(key)).toBeUndefined()
  cache.write({ fingerprint: 'b' }, result)
  expect(readdirSync(home)).toHaveLength(1)
})

test('a full cache loses its oldest half', () => {
  const home = join(folder(), 'proofs')
  mkdirSync(home, { mode: 0o700 })
  for (let index = 0; index < adaptiveLimits.proofs; index++) writeFileSync(join(home, `${index}`), '')
  createProofCache(home).write(key, result)
  expect(readdirSync(home).length).toBe(adaptiveLimits.proofs / 2 + 1)
})

test('several processes write the same entry', { timeout: 60_000 }, async () => {
  const home = join(folder(), 'proofs')
  const entry = new URL('../../dist/prover.js', import.meta.url).href
  const program = `import { createProofCache } from ${JSON.stringify(entry)}
    const cache = createProofCache(${JSON.stringify(home)})
    for (let time = 0; time < 50; time++) {
      cache.write(${JSON.stringify(key)}, ${JSON.stringify(result)})
      if (cache.read(${JSON.stringify(key)})?.proven !== true) throw new Error('a partial entry was read')
    }`
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  await Promise.all([run(), run(), run()])
  expect(readdirSync(home)).toHaveLength(1)
})
