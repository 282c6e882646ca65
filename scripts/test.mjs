/**
 * `npm test`: runs all checks in order, with one line for each. Stops at the first failure and prints how to fix it.
 * `-- --coverage` also measures the coverage of each package.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const tool = (path) => join(root, 'node_modules', path)
const script = (name) => join(root, 'scripts', 'dist', name)
const results = tool('.cache/joust/test-results.json')
const packed = tool('.cache/joust/command')

const biome = tool('@biomejs/biome/bin/biome')
const colors = process.stdout.isTTY ? '--colors=force' : '--colors=off'
const tsc = tool('typescript/bin/tsc')
const vitest = tool('vitest/vitest.mjs')
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]

const coverage = process.argv.includes('--coverage')

const steps = [
  { name: 'format and lint', run: [biome, 'check', '--error-on-warnings', colors, '.'], mend: 'npm run fix' },
  {
    name: 'report script',
    run: [join(root, 'scripts', 'client-script.mjs')],
    mend: 'fix the bundler errors above',
  },
  { name: 'build', run: [tsc, '-b'], mend: 'fix the type errors above, then npm run build' },
  { name: 'test types', run: [tsc, '-p', 'tsconfig.tests.json'], mend: 'fix the type errors above' },
  {
    name: 'layers',
    run: [script('check-imports.js')],
    mend: 'follow each "fix" above; the table is scripts/layers.ts',
  },
  { name: 'exports', run: [script('check-exports.js')], mend: 'follow each "fix" above' },
  {
    name: 'unused and undeclared',
    run: [tool('knip/bin/knip.js'), '--no-progress', '--cache', '--cache-location', tool('.cache/joust/knip')],
    mend: 'remove unused code and declare imported packages; knip.json lists the entry files',
  },
  { name: 'rule table', run: [script('check-rules.js')], mend: 'follow each "fix" above' },
  { name: 'generated files', run: [script('generate.js'), '--check'], mend: 'npm run generate' },
  { name: 'command', run: [script('bundle.js'), packed], mend: 'fix the bundler errors above' },
  {
    name: 'unit, property, examples, docs',
    run: [vitest, 'run', ...reporters, ...(coverage ? ['--coverage'] : [])],
    mend: 'npx vitest run FILE runs a single file again',
    loud: true,
  },
  ...(coverage
    ? [
        {
          name: 'coverage',
          run: [join(root, 'scripts', 'coverage.mjs')],
          mend: 'add tests for the package; coverage.json has the minimum coverage',
          loud: true,
        },
      ]
    : []),
]

rmSync(results, { force: true })
for (const step of steps) {
  const failure = perform(step)
  if (failure === undefined) continue
  console.error(`\n${step.name} failed. Fix: ${failure}`)
  process.exit(1)
}

function perform({ name, run, mend, loud = false }) {
  if (!existsSync(run[0])) return 'npm ci'
  const started = Date.now()
  if (loud) console.log(`…     ${name}`)
  const { status, stdout, stderr } = spawnSync(process.execPath, run, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: loud ? 'inherit' : 'pipe',
  })
  const duration = `${((Date.now() - started) / 1000).toFixed(1)} s`
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'}  ${name} (${duration})`)
  if (status === 0) return undefined
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`)
  return mend
}
