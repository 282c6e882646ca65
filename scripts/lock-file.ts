/**
 * npm leaves a platform package out of `package-lock.json` when the registry in use does not carry it, and then refuses
 * that lock in `npm ci`. What is missing can be told from the packages that list it as optional.
 */

/** Every lock file, from the root. */
export const lockFiles = ['package-lock.json', 'peers/package-lock.json']

interface LockEntry {
  readonly version?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly optionalDependencies?: { readonly [name: string]: string }
}

export interface LockFile {
  readonly packages: { readonly [path: string]: LockEntry }
}

/** The entries that a lock lacks, by path. */
export function missingPlatformPackages({ packages }: LockFile): { [path: string]: LockEntry } {
  const missing: { [path: string]: LockEntry } = {}
  for (const [path, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const places = [`node_modules/${name}`, `${path}/node_modules/${name}`]
      if (places.some((place) => Object.hasOwn(packages, place))) continue
      missing[`node_modules/${name}`] = platformEntry(name, version, entry.dev === true)
    }
  }
  return missing
}

/** The lock with these entries, in npm's order. */
export function completeLock<T extends LockFile>(lock: T): T {
  const entries = Object.entries({ ...lock.packages, ...missingPlatformPackages(lock) })
  const sorted = entries.sort(([a], [b]) => a.localeCompare(b, 'en'))
  return { ...lock, packages: Object.fromEntries(sorted) }
}

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

function platformEntry(name: string, version: string, dev: boolean): LockEntry {
  const words = name.split(/[/-]/)
  const [os, cpu] = [systems, processors].map((known) => words.filter((word) => known.includes(word)))
  return {
    version: version.replace(/^[~^]/, ''),
    ...(cpu?.length ? { cpu } : {}),
    ...(dev ? { dev } : {}),
    optional: true,
    ...(os?.length ? { os } : {}),
  }
}
