/**
 * `npm run package:image`: an OCI archive with the single executable, built from scratch with tar, without a daemon.
 * The layer is a tar of the executable and its shared libraries. The image also has four small JSON files.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(dirname(fileURLToPath(import.meta.url)))
const exe = join(here, 'packages/cli/bundle-exe/joust')
if (!existsSync(exe)) execFileSync('npm', ['run', '--silent', 'package:exe'], { cwd: here, stdio: 'inherit' })
const { version } = JSON.parse(readFileSync(join(here, 'packages/cli/package.json'), 'utf8'))
const work = mkdtempSync(join(tmpdir(), 'joust-image-'))
try {
  const archive = join(here, 'packages/cli/bundle-exe/joust.oci.tar')
  const image = join(work, 'image')
  mkdirSync(join(image, 'blobs/sha256'), { recursive: true })
  const layer = addBlob(image, pack(fileSystem(join(work, 'root')), join(work, 'layer.tar')))
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const config = {
    architecture,
    os: 'linux',
    config: {
      User: '10001',
      WorkingDir: '/work',
      Env: ['HOME=/work', 'PATH=/usr/bin'],
      Entrypoint: ['/usr/bin/joust'],
    },
    rootfs: { type: 'layers', diff_ids: [layer.digest] },
  }
  const manifest = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...addJson(image, config) },
    layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar', ...layer }],
  }
  const named = {
    ...{ mediaType: manifest.mediaType, ...addJson(image, manifest) },
    annotations: { 'org.opencontainers.image.ref.name': version },
  }
  writeFileSync(join(image, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [named] }))
  writeFileSync(join(image, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
  pack(image, archive)
  console.log(`${archive}: ${Math.round(statSync(archive).size / 1e6)} MB`)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Creates the content of the image. */
function fileSystem(root) {
  for (const folder of ['usr/bin', 'etc/ssl', 'tmp', 'work']) mkdirSync(join(root, folder), { recursive: true })
  for (const folder of ['tmp', 'work']) chmodSync(join(root, folder), 0o1777)
  cpSync(exe, join(root, 'usr/bin/joust'))
  // Copy the shared libraries of Node.js to the paths where it expects them.
  for (const [library] of execFileSync('ldd', [exe], { encoding: 'utf8' }).matchAll(/\/[^ ]+/g)) {
    mkdirSync(join(root, dirname(library)), { recursive: true })
    cpSync(library, join(root, library), { dereference: true })
  }
  writeFileSync(join(root, 'etc/passwd'), 'joust:x:10001:10001::/work:/usr/bin/joust\n')
  if (existsSync('/etc/ssl/certs'))
    cpSync('/etc/ssl/certs', join(root, 'etc/ssl/certs'), { recursive: true, dereference: true })
  return root
}

/** Packs a folder reproducibly. */
function pack(folder, file) {
  const steady = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner']
  execFileSync('tar', [...steady, '-C', folder, '-cf', file, '.'])
  return file
}

function addBlob(image, file) {
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex')
  const { size } = statSync(file)
  renameSync(file, join(image, 'blobs/sha256', hash))
  return { digest: `sha256:${hash}`, size }
}

function addJson(image, value) {
  const file = join(work, 'value.json')
  writeFileSync(file, JSON.stringify(value))
  return addBlob(image, file)
}
