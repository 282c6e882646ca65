import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { completeLock, lockFiles, missingPlatformPackages } from '../../scripts/lock-file.ts'
import { repositoryRoot } from '../../scripts/repository.ts'

describe.each(lockFiles)('%s', (file) => {
  const text = readFileSync(join(repositoryRoot(), file), 'utf8')

  test('is whole, so that npm ci accepts it: else run node scripts/dist/complete-lock.js', () => {
    expect(Object.keys(missingPlatformPackages(JSON.parse(text)))).toEqual([])
  })

  test('names no registry: install with --omit-lockfile-registry-resolved', () => {
    expect(text).not.toMatch(/"resolved": "https?:/)
  })
})

test('missing platform packages are added in order, those that are there stay', () => {
  const optionalDependencies = {
    '@a/tool-darwin-arm64': '1.0.0',
    '@a/tool-linux-x64-gnu': '1.0.0',
    'b-wasm32-wasi': '~1.0.0',
  }
  const lock = {
    version: 3,
    packages: {
      '': {},
      'node_modules/@a/tool': { dev: true, optionalDependencies },
      'node_modules/@a/tool-linux-x64-gnu': { version: '1.0.0' },
    },
  }
  const completed = completeLock(lock)
  expect(Object.entries(completed.packages).slice(1)).toEqual([
    ['node_modules/@a/tool', { dev: true, optionalDependencies }],
    [
      'node_modules/@a/tool-darwin-arm64',
      { version: '1.0.0', cpu: ['arm64'], dev: true, optional: true, os: ['darwin'] },
    ],
    ['node_modules/@a/tool-linux-x64-gnu', { version: '1.0.0' }],
    ['node_modules/b-wasm32-wasi', { version: '1.0.0', cpu: ['wasm32'], dev: true, optional: true }],
  ])
  expect(completed.version).toBe(3)
  expect(missingPlatformPackages(completed)).toEqual({})
})
