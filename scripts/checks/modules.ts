/** Reads the source files of all packages and their imports. */
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { filesBelow } from '../repository.ts'
import { isNode, lineOf, nodesOf, parseTypeScript, type SyntaxNode, stringOf } from './syntax.ts'

export interface Module {
  /** Path relative to the repository root. */
  readonly file: string
  /** The package folder in `packages`. */
  readonly folder: string
  readonly lines: number
  readonly imports: readonly ModuleImport[]
  /** Line numbers of `export default` and `export *`. */
  readonly defaultExports: readonly number[]
  readonly exportsAll: readonly number[]
}

export interface ModuleImport {
  readonly specifier: string
  readonly line: number
  readonly dynamic: boolean
  readonly typeOnly: boolean
  /** The imported file, if it exists in this repository. */
  readonly target: string | undefined
}

/** The relevant fields of a `package.json`. */
export interface Manifest {
  readonly folder: string
  readonly name: string
  readonly dependencies: readonly string[]
  /** Source files by subpath (`.`, `./on-demand`). */
  readonly entries: ReadonlyMap<string, string>
}

/** Reads the manifests of packages in the build, which the root `tsconfig.json` references. */
export function readManifests(root: string): Manifest[] {
  const { references } = readJson(root, 'tsconfig.json')
  return (Array.isArray(references) ? references : [])
    .map((reference) => String(fieldsOf(reference).path))
    .filter((path) => path.startsWith('packages/'))
    .map((path) => readManifest(root, path.slice('packages/'.length)))
}

export const sourceEndings: readonly string[] = ['.ts', '.tsx']

/** Reads every source file of every package. */
export function readModules(root: string, manifests: readonly Manifest[]): Module[] {
  return manifests.flatMap(({ folder }) =>
    sourceEndings
      .flatMap((ending) => filesBelow(root, `packages/${folder}/src`, ending))
      .map((file) => readModule(root, file, folder, manifests)),
  )
}

/** Returns the package of a specifier: `@joust/oatf` for `@joust/oatf/on-demand`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function readManifest(root: string, folder: string): Manifest {
  const manifest = readJson(root, `packages/${folder}/package.json`)
  const { name, dependencies, peerDependencies, devDependencies, exports, scripts } = manifest
  // Dependencies of a bundled package are needed only at build time.
  const isBundled = String(fieldsOf(scripts).prepack).includes('/scripts/dist/bundle')
  const entries = Object.entries(fieldsOf(exports)).flatMap(([subpath, conditions]) => {
    const source = fieldsOf(conditions)['joust-source']
    return typeof source === 'string' ? [[subpath, posix.join('packages', folder, source)] as const] : []
  })
  return {
    folder,
    name: typeof name === 'string' ? name : '',
    dependencies: [dependencies, peerDependencies, isBundled ? devDependencies : undefined].flatMap((part) =>
      Object.keys(fieldsOf(part)),
    ),
    entries: new Map(entries),
  }
}

function readJson(root: string, file: string): { readonly [key: string]: unknown } {
  return fieldsOf(JSON.parse(readFileSync(join(root, file), 'utf8')))
}

function fieldsOf(value: unknown): { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function readModule(root: string, file: string, folder: string, manifests: readonly Manifest[]): Module {
  const text = readFileSync(join(root, file), 'utf8')
  const nodes = nodesOf(parseTypeScript(text, file))
  const linesOf = (type: string) => nodes.filter((node) => node.type === type).map((node) => lineOf(text, node.start))
  const imports = nodes.flatMap((node) => {
    const specifier = importedBy(node)
    if (specifier === undefined) return []
    const dynamic = node.type === 'ImportExpression'
    const typeOnly = node.type === 'TSImportType' || node.importKind === 'type' || node.exportKind === 'type'
    const target = resolve(root, file, specifier, manifests)
    return [{ specifier, line: lineOf(text, node.start), dynamic, typeOnly, target }]
  })
  return {
    file,
    folder,
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    imports,
    defaultExports: linesOf('ExportDefaultDeclaration'),
    exportsAll: linesOf('ExportAllDeclaration'),
  }
}

const importing = [
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]

function importedBy(node: SyntaxNode): string | undefined {
  if (!importing.includes(node.type)) return undefined
  return isNode(node.source) ? stringOf(node.source) : undefined
}

/** Returns the imported file, if it exists in this repository. */
export function resolve(
  root: string,
  file: string,
  specifier: string,
  manifests: readonly Manifest[],
): string | undefined {
  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(file), specifier)
    return existsSync(join(root, target)) ? target : undefined
  }
  const name = packageOf(specifier)
  return manifests.find((manifest) => manifest.name === name)?.entries.get(`.${specifier.slice(name.length)}`)
}
