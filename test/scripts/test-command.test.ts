import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../scripts/repository.ts'
import { makeTree } from './tree.ts'

const command = readFileSync(join(repositoryRoot(), 'scripts/test.mjs'), 'utf8')
const tools = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
  knip: 'node_modules/knip/bin/knip.js',
  script: 'scripts/client-script.mjs',
}
const works = "console.log('quiet when all is well')\n"
const fails = "console.error('what is wrong')\nprocess.exit(3)\n"

test('without an installation it requires one', () => {
  expect(run({})).toEqual({ status: 1, lines: ['format and lint failed. Fix: npm ci'] })
})

test('it stops at the first step that fails, shows why and how to mend it', () => {
  const { status, lines } = run({
    [tools.biome]: works,
    [tools.script]: works,
    [tools.tsc]: fails,
    [tools.vitest]: works,
  })
  expect(status).toBe(1)
  expect(lines.map((line) => line.replace(/\d+\.\d/, '0.0'))).toEqual([
    'ok    format and lint (0.0 s)',
    'ok    report script (0.0 s)',
    'FAIL  build (0.0 s)',
    'what is wrong',
    'build failed. Fix: fix the type errors above, then npm run build',
  ])
})

test('it ends well when every step does', () => {
  const scripts = ['check-imports', 'check-exports', 'check-rules', 'generate', 'bundle'].map((name) => [
    `scripts/dist/${name}.js`,
    works,
  ])
  const stubs = Object.fromEntries([...scripts, ...Object.values(tools).map((tool) => [tool, works])])
  const { status, lines } = run(stubs)
  expect(status).toBe(0)
  expect(lines.filter((line) => line.startsWith('ok'))).toHaveLength(11)
  expect(lines.at(-1)).toMatch(/^ok {4}unit, property, examples, docs/)
})

function run(files: { readonly [path: string]: string }): { status: number | null; lines: string[] } {
  const root = makeTree({ 'scripts/test.mjs': command, ...files })
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/test.mjs')], { encoding: 'utf8' })
  return { status, lines: `${stdout}${stderr}`.split('\n').filter((line) => line !== '') }
}

test('the fast loop requires packages, and suggests existing ones', () => {
  const fast = (...words: string[]) =>
    spawnSync(process.execPath, [join(repositoryRoot(), 'scripts/test-fast.mjs'), ...words], { encoding: 'utf8' })
  expect(fast()).toMatchObject({ status: 64, stderr: expect.stringMatching(/^missing package: .*arena/) })
  expect(fast('aren')).toMatchObject({ status: 64, stderr: expect.stringMatching(/^unknown package aren: /) })
})
