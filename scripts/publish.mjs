/**
 * `node scripts/publish.mjs [--dry-run]`, after `npm run build`: packs each package, checks its content and size, and
 * publishes versions that are not in the registry, dependencies first. In GitHub Actions, with provenance.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const isDry = process.argv.includes('--dry-run')
const { GITHUB_REPOSITORY: repository, GITHUB_ACTIONS: isAction } = process.env
const read = (path) => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))

/** Maximum packed size of each package in kB, about a quarter above the measured size. */
const largest = { joust: 2_900, '@joust/oatf': 1_400, '@joust/studio': 810, '@joust/arena': 700, '@joust/runtime': 480 }
const LARGEST = 360

/** Returns an error for a wrong repository address, which would break provenance and links in the pages. */
function addressFault() {
  const { homepage } = read('.')
  if (repository === undefined || homepage === `https://github.com/${repository}`) return undefined
  return `homepage in package.json is ${homepage}, but this is https://github.com/${repository}`
}

/** Returns the packages in order of publication, dependencies first. */
function inOrder() {
  const pending = new Map(
    readdirSync(join(root, 'packages')).map((folder) => [read(`packages/${folder}`).name, folder]),
  )
  const ordered = []
  while (pending.size > 0) {
    const isReady = ([, folder]) => {
      const { dependencies = {} } = read(`packages/${folder}`)
      return Object.keys(dependencies).every((name) => !pending.has(name))
    }
    const ready = [...pending].filter(isReady)
    if (ready.length === 0) throw new Error(`circular dependencies: ${[...pending.keys()].join(', ')}`)
    for (const [name, folder] of ready) {
      pending.delete(name)
      ordered.push({ name, folder, version: read(`packages/${folder}`).version })
    }
  }
  return ordered
}

function npm(...args) {
  return execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Packs a package with its `prepack` script. Returns the file and its errors. */
function packed({ name, folder }, destination) {
  const [{ filename, size, files }] = JSON.parse(
    npm('pack', `./packages/${folder}`, '--json', '--silent', '--pack-destination', destination).replace(/^[^[]*/, ''),
  )
  const most = (largest[name] ?? LARGEST) * 1000
  const paths = files.map(({ path }) => path)
  const missing = ['LICENSE', 'README.md', 'package.json'].filter((path) => !paths.includes(path))
  const odd = paths.filter((path) => /(?:^|\/)(?:test|node_modules)\/|\.tsbuildinfo|\.env/.test(path))
  const faults = [
    ...missing.map((path) => `${path} is missing`),
    ...odd.map((path) => `${path} does not belong in the package`),
    ...(size > most ? [`${size} bytes, more than ${most}`] : []),
  ]
  return { file: join(destination, filename), size, count: paths.length, faults }
}

function isPublished({ name, version }) {
  return spawnSync('npm', ['view', `${name}@${version}`, 'version'], { encoding: 'utf8' }).stdout.trim() === version
}

const fault = addressFault()
if (fault !== undefined) {
  process.stderr.write(`${isDry ? 'warning: ' : ''}${fault}\n`)
  if (!isDry) process.exit(1)
}
const destination = mkdtempSync(join(tmpdir(), 'joust-publish-'))
let isGood = true
try {
  for (const one of inOrder()) {
    const { file, size, count, faults } = packed(one, destination)
    const isThere = isPublished(one)
    const state = isThere ? 'published already' : isDry ? 'would be published' : 'published'
    process.stdout.write(`${one.name}@${one.version}  ${count} files, ${Math.ceil(size / 1000)} kB: ${state}\n`)
    for (const text of faults) process.stderr.write(`${one.name}: ${text}\n`)
    isGood &&= faults.length === 0
    if (!isGood || isThere) continue
    const provenance = isAction && !isDry ? ['--provenance'] : []
    npm('publish', file, '--access', 'public', ...provenance, ...(isDry ? ['--dry-run', '--silent'] : []))
  }
} finally {
  rmSync(destination, { recursive: true, force: true })
}
process.exit(isGood ? 0 : 1)
