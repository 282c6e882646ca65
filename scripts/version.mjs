/**
 * `node scripts/version.mjs`: applies the changesets in `.changeset`. Also writes the new version, shared by all
 * packages, into the code, the VS Code extension and the lock files, which changesets does not update.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: 'inherit' })
const edit = (path, change) => writeFileSync(join(root, path), change(readFileSync(join(root, path), 'utf8')))

/** Updates the versions of peer dependencies between the packages. */
function setPeers(version) {
  for (const folder of readdirSync(join(root, 'packages')))
    edit(`packages/${folder}/package.json`, (text) =>
      text.replace(/"peerDependencies": \{[^}]*\}/, (peers) =>
        peers.replaceAll(/("@joust\/[\w-]+": )"[^"]*"/g, `$1"${version}"`),
      ),
    )
}

// A peer outside its range would make each version a major version. The versions are exact afterwards.
setPeers('*')
run('npx', '--yes', '@changesets/cli@2.31.0', 'version')
const { version } = JSON.parse(readFileSync(join(root, 'packages/source/package.json'), 'utf8'))
setPeers(version)
edit('packages/source/src/model/version.ts', (text) => text.replace(/'[\d.]+[^']*'/, `'${version}'`))
edit('editors/vscode/package.json', (text) => text.replace(/("version": )"[^"]+"/, `$1"${version}"`))
for (const folder of ['.', 'editors/vscode'])
  run('npm', 'install', '--prefix', folder, '--package-lock-only', '--omit-lockfile-registry-resolved', '--silent')
