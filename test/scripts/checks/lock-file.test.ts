import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lockFaults, lockFiles } from '../../../scripts/checks/lock-file.ts'
import { repositoryRoot } from '../../../scripts/repository.ts'

/**
 * Programs of two peer agents, for other platforms. The registry in use has none of them, so there is no hash to
 * record; a registry that has them would deliver them unchecked. Only `npm run peers` installs them.
 */
const unsealed: Readonly<Record<string, readonly string[]>> = {
  'peers/package-lock.json': [
    ...['darwin-arm64', 'darwin-x64', 'linux-arm64', 'windows-arm64', 'windows-x64'].map(
      (name) => `@cline/cli-${name}`,
    ),
    ...['darwin-arm64', 'darwin-x64', 'darwin-x64-baseline', 'linux-arm64', 'linux-arm64-musl'].map(opencode),
    ...['linux-x64-baseline-musl', 'linux-x64-musl', 'windows-arm64', 'windows-x64', 'windows-x64-baseline'].map(
      opencode,
    ),
  ],
}

function opencode(platform: string): string {
  return `opencode-${platform}`
}

describe.each(lockFiles)('%s', (file) => {
  const text = readFileSync(join(repositoryRoot(), file), 'utf8')

  test('has every package with its hash: else take another version', () => {
    const known = unsealed[file] ?? []
    expect(lockFaults(JSON.parse(text))).toEqual(known.map((name) => `node_modules/${name} has no integrity`))
  })

  test('names no registry: install with --omit-lockfile-registry-resolved', () => {
    expect(text).not.toMatch(/"resolved": "https?:/)
  })
})

test('missing entries, and entries without a hash', () => {
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
