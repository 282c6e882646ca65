/** Installs the packages of the agents in this folder: `node peers/init/install.mjs [NAME…]`, all by default. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const home = import.meta.dirname
const all = readdirSync(home, { withFileTypes: true }).filter((entry) => entry.isDirectory())
const names = process.argv.length > 2 ? process.argv.slice(2) : all.map(({ name }) => name)

for (const name of names) {
  const cwd = join(home, name)
  const commands = existsSync(join(cwd, 'package.json'))
    ? [['npm', 'install', '--no-package-lock', '--no-audit', '--no-fund', '--legacy-peer-deps']]
    : [
        ['python3', '-m', 'venv', '.venv'],
        ['.venv/bin/python', '-m', 'pip', 'install', '--quiet', '--requirement', 'requirements.txt'],
      ]
  const isInstalled = commands.every(
    ([command = '', ...args]) => spawnSync(command, args, { cwd, stdio: 'inherit' }).status === 0,
  )
  if (!isInstalled) process.stderr.write(`SKIPPED: the packages of ${name} could not be installed\n`)
}
