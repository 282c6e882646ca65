/**
 * `npm run package:try`: builds the single executable and the image, and runs both like a new user: in an empty folder,
 * without this repository or Node.js. The image is run as a file system with its own configuration.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(dirname(fileURLToPath(import.meta.url)))
const made = join(here, 'packages/cli/bundle-exe')
// The executable is built from the bundle. A remaining bundle would only hide changes to the sources.
const bundle = join(here, 'packages/cli/bundle')
const hadBundle = existsSync(bundle)
const folder = mkdtempSync(join(tmpdir(), 'joust-try-'))
try {
  for (const name of ['package:exe', 'package:image'])
    execFileSync('npm', ['run', '--silent', name], { cwd: here, stdio: 'inherit' })
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  tryOut('the executable', join(empty, 'out'), (args) =>
    spawnSync(join(made, 'joust'), args, { cwd: empty, env: { HOME: empty }, encoding: 'utf8' }),
  )
  const { status, stderr } = spawnSync(join(made, 'joust'), ['--version'], {
    env: { HOME: '/dev/null' },
    encoding: 'utf8',
  })
  if (status !== 10 || !/^joust: .*set XDG_CACHE_HOME to a folder that only you can write to\n$/.test(stderr))
    throw new Error(`without a cache folder, the executable exited with ${status}\n${stderr}`)

  const { config, root } = unpack(join(made, 'joust.oci.tar'), folder)
  if (spawnSync('unshare', ['-r', 'true']).status !== 0)
    console.warn('SKIPPED: the image is not run, because user namespaces are not available')
  else {
    const { Entrypoint, Env, WorkingDir } = config
    const inside = ['-r', `--root=${root}`, `--wd=${WorkingDir}`, ...Entrypoint]
    const env = Object.fromEntries(Env.map((line) => line.split('=')))
    tryOut('the image', join(WorkingDir, 'out'), (args) =>
      spawnSync('unshare', [...inside, ...args], { env, encoding: 'utf8' }),
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
  if (!hadBundle) rmSync(bundle, { recursive: true, force: true })
}

function tryOut(what, out, run) {
  const { version } = JSON.parse(readFileSync(join(here, 'packages/cli/package.json'), 'utf8'))
  const expect = (args, status, text) => {
    const { status: ended, stdout, stderr } = run(args)
    if (ended === status && stdout.includes(text)) return
    throw new Error(`${what}: joust ${args.join(' ')} ended with ${ended}\n${stdout}${stderr}`)
  }
  expect(['--version'], 0, version)
  expect(['validate', 'library'], 0, '')
  const attack = ['run', 'library/fabricated-approval.oatf.yaml', '--model', 'sim/credulous', '--quiet']
  expect([...attack, '--out', out, '--report', 'html'], 3, 'fabricated-approval')
  console.log(`${what} works`)
}

/** Unpacks the file system of an image. Returns its start command. */
function unpack(archive, to) {
  const image = join(to, 'image')
  const root = join(to, 'root')
  for (const path of [image, root]) mkdirSync(path)
  execFileSync('tar', ['-xf', archive, '-C', image])
  const blob = ({ digest }) => join(image, 'blobs', digest.replace(':', '/'))
  const read = (path) => JSON.parse(readFileSync(path, 'utf8'))
  const [named] = read(join(image, 'index.json')).manifests
  const manifest = read(blob(named))
  for (const layer of manifest.layers) execFileSync('tar', ['-xf', blob(layer), '-C', root])
  if (!existsSync(join(root, 'usr/bin/joust'))) throw new Error('the image does not contain the command')
  return { ...read(blob(manifest.config)), root }
}
