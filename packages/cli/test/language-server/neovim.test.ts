import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../../../scripts/repository.ts'
import { binary } from '../spawned.ts'

const installed = spawnSync('nvim', ['--version']).status === 0
if (!installed) console.error('SKIPPED: Neovim is not installed, so the language server is not tried in it')

test.skipIf(!installed)('Neovim shows a finding and mends it, completes, and renames an actor', () => {
  const folder = mkdtempSync(join(tmpdir(), 'joust-neovim-'))
  const attack = readFileSync(join(repositoryRoot(), 'library/cross-agent-relay.oatf.yaml'), 'utf8')
  const broken = attack.replace('surface:', 'surfce:')
  const line = broken.slice(0, broken.indexOf('surfce:')).split('\n').length
  writeFileSync(join(folder, 'a.oatf.yaml'), broken)
  const script = fileURLToPath(new URL('./neovim.lua', import.meta.url))
  const { stdout, stderr } = spawnSync('nvim', ['--headless', '-u', 'NONE', '-c', `luafile ${script}`, 'a.oatf.yaml'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
    env: {
      ...process.env,
      HOME: folder,
      JOUST_COMMAND: [process.execPath, binary, 'language-server', '--stdio'].join('\n'),
    },
  })
  // Node may still be writing its compile cache.
  rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 })
  const surface = attack.split('\n')[line - 1]
  const actor = /- name: (\w+)/.exec(attack.slice(attack.indexOf('actors:')))?.[1]
  const uses = attack.match(new RegExp(`(?:actor: |\\{\\{)${actor}\\b`, 'g'))?.length ?? 0
  expect(stdout.trim().split('\n'), stderr).toEqual([
    `finding ${line} type_mismatch`,
    'hover type_mismatch',
    'fix Replace with "surface"',
    `left 0 ${surface}`,
    `completes ${surface?.split(' ').at(-1)}`,
    `uses ${uses}`,
    `renamed ${uses + 1}`,
  ])
})
