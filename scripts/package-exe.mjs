/**
 * `npm run package:exe`: the command and Node.js in one file, a single executable application. Node.js and the tool
 * that joins the two come from npm. Node.js 20 cannot import users' modules from such a file, so a later version is
 * used.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'

const NODE = '24.21.0'
const POSTJECT = '1.0.0-alpha.6'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const work = join(root, 'node_modules/.cache/joust/exe')
const out = join(root, 'packages/cli/bundle-exe')
const run = (file, args) => execFileSync(file, args, { cwd: work, stdio: ['ignore', 'inherit', 'inherit'] })

mkdirSync(work, { recursive: true })
mkdirSync(out, { recursive: true })
const system = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
writeFileSync(join(work, 'package.json'), '{ "private": true }')
run('npm', ['install', '--no-audit', '--no-fund', '--no-save', `node-${system}@${NODE}`, `postject@${POSTJECT}`])
const node = join(work, `node_modules/node-${system}/bin/node`)

writeFileSync(join(work, 'files'), brotliCompressSync(JSON.stringify(filesOf(['bin', 'bundle']))))
copyFileSync(join(root, 'scripts/exe-main.cjs'), join(work, 'main.cjs'))
const config = { main: 'main.cjs', output: 'blob', disableExperimentalSEAWarning: true, assets: { files: 'files' } }
writeFileSync(join(work, 'sea.json'), JSON.stringify(config))
run(node, ['--experimental-sea-config', 'sea.json'])
const exe = join(out, 'joust')
copyFileSync(node, exe)
chmodSync(exe, 0o755)
// The marker in the Node.js binary for the position of the blob.
const fuse = ['--sentinel-fuse', 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2']
run(join(work, 'node_modules/.bin/postject'), [exe, 'NODE_SEA_BLOB', 'blob', ...fuse])
run(exe, ['--version'])
console.log(`${exe}: ${Math.round(statSync(exe).size / 1e6)} MB`)

function filesOf(folders) {
  const home = join(root, 'packages/cli')
  const paths = folders.flatMap((folder) =>
    readdirSync(join(home, folder), { recursive: true }).map((name) => join(folder, name)),
  )
  const files = paths.filter((path) => statSync(join(home, path)).isFile())
  return Object.fromEntries(files.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(home, path), 'utf8')]))
}
