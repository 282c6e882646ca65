import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lockFaults, lockFiles } from '../../scripts/lock-file.ts'
import { repositoryRoot } from '../../scripts/repository.ts'

describe.each(lockFiles)('%s', (file) => {
  const text = readFileSync(join(repositoryRoot(), file), 'utf8')

  // The agents among the peers bring programs for platforms that not every registry has.
  test.skipIf(file.startsWith('peers/'))('has every package with its hash: else take another version', () => {
    expect(lockFaults(JSON.parse(text))).toEqual([])
  })

  test('names no registry: install with --omit-lockfile-registry-resolved', () => {
    expect(text).not.toMatch(/"resolved": "https?:/)
  })
})

test('what is missing, and what has no hash', () => {
  const optionalDependencies = { '@a/tool-darwin-arm64': '1.0.0', '@a/tool-linux-x64': '1.0.0', 'b-wasm32': '~1.0.0' }
  const packages = {
    '': {},
    'packages/own': {},
    'node_modules/own': { link: true },
    'node_modules/@a/tool': { integrity: 'sha512-', optionalDependencies },
    'node_modules/@a/tool-linux-x64': {},
    'node_modules/@a/tool/node_modules/b-wasm32': { integrity: 'sha512-' },
  }
  expect(lockFaults({ packages })).toEqual([
    '@a/tool-darwin-arm64 is missing',
    'node_modules/@a/tool-linux-x64 has no integrity',
  ])
})
