/**
 * `npm run test:fast -- PACKAGE…`: builds, then runs the tests in the packages that neither wait nor start other
 * programs.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const packages = readdirSync(join(root, 'packages'))
const given = process.argv.slice(2).map((word) => word.replace(/^packages\/|\/$/g, ''))
const unknown = given.filter((name) => !packages.includes(name))
if (given.length === 0 || unknown.length > 0) {
  const fault = unknown.length > 0 ? `unknown package ${unknown.join(', ')}` : 'missing package'
  console.error(`${fault}: npm run test:fast -- PACKAGE…; available: ${packages.join(', ')}`)
  process.exit(64)
}
run('scripts/client-script.mjs', [])
run('node_modules/typescript/bin/tsc', ['-b'])
run('node_modules/vitest/vitest.mjs', ['run', ...given.map((name) => `packages/${name}/`)])

function run(tool, words) {
  const env = { ...process.env, JOUST_TESTS: 'fast' }
  const { status } = spawnSync(process.execPath, [join(root, tool), ...words], { cwd: root, env, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
