import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repositoryRoot } from '../scripts/repository.ts'

const root = repositoryRoot()

/** Packages that are packed as bundles. */
export const bundled: readonly string[] = ['source', 'oatf', 'agentformat']

/**
 * Packs compiled packages, named by their folders, as `npm pack` does with their `prepack`. Bundles are made in copies,
 * since other tests use what the compiler wrote.
 */
export function pack(folders: readonly string[], destination: string): void {
  const copies = mkdtempSync(join(tmpdir(), 'joust-pack-'))
  try {
    const places = folders.map((folder) => (bundled.includes(folder) ? bundledCopy(folder, copies) : home(folder)))
    const options = ['--ignore-scripts', '--silent', '--pack-destination', destination]
    execFileSync('npm', ['pack', ...options, ...places], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  } finally {
    rmSync(copies, { recursive: true, force: true })
  }
}

/** The names of the files in a tarball, without their folder. */
export function filesOf(tarball: string): string[] {
  const list = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' })
  return list
    .trim()
    .split('\n')
    .map((file) => file.replace('package/', ''))
}

/** The sources of the source maps and declaration maps in an installed package that neither it nor the map contains. */
export function missingSources(folder: string, files: readonly string[]): string[] {
  return files
    .filter((file) => file.endsWith('.map'))
    .flatMap((file) => {
      const { sources, sourcesContent = [] } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
      const paths: string[] = sources.map((source: string) => join(file, '..', source))
      return paths.filter((path, index) => !files.includes(path) && typeof sourcesContent[index] !== 'string')
    })
}

function bundledCopy(folder: string, copies: string): string {
  const copy = join(copies, folder)
  for (const name of ['package.json', 'README.md', 'LICENSE', 'dist', 'src'])
    cpSync(join(home(folder), name), join(copy, name), { recursive: true })
  execFileSync(process.execPath, [join(root, 'scripts/dist/bundle-format.js'), copy])
  return copy
}

function home(folder: string): string {
  return join(root, 'packages', folder)
}
