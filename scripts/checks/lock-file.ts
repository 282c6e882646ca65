/**
 * Finds incomplete entries in lock files. If a registry lacks a platform package, npm omits it from `package-lock.json`
 * or lists it without a hash. `npm ci` then rejects the lock file, or accepts any package with that name from another
 * registry.
 */

/** Lock files, relative to the root. */
export const lockFiles = ['package-lock.json', 'peers/package-lock.json', 'editors/vscode/package-lock.json']

interface LockEntry {
  readonly link?: boolean
  readonly integrity?: string
  readonly optionalDependencies?: { readonly [name: string]: string }
}

interface LockFile {
  readonly packages: { readonly [path: string]: LockEntry }
}

/** Returns a message for each missing entry and each entry without a hash. */
export function lockFaults({ packages }: LockFile): string[] {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter(
        (name) => ![`node_modules/${name}`, `${path}/node_modules/${name}`].some((at) => Object.hasOwn(packages, at)),
      )
      .map((name) => `${name} is missing`),
  )
  const unsealed = Object.entries(packages)
    .filter(([path, { link, integrity }]) => path.includes('node_modules/') && link !== true && integrity === undefined)
    .map(([path]) => `${path} has no integrity`)
  return [...missing, ...unsealed]
}
