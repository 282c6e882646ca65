/** Finds unused exports, except for package entry points, which are public and pinned by tests. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow } from '../repository.ts'
import { type Manifest, readManifests, resolve, sourceEndings } from './modules.ts'
import { isNode, lineOf, nameOf, nodesOf, parseTypeScript, type SyntaxNode, stringOf } from './syntax.ts'
import type { Violation } from './violation.ts'

/** Folders with modules. */
const folders = ['packages', 'scripts', 'bench', 'test', 'examples', 'peers']
const endings = [...sourceEndings, '.js', '.mjs']
/**
 * Matches files whose exports are checked. Tests may have unused exports, and hosts look up the exports of standalone
 * scripts by name.
 */
const EXPORTING = /^(packages\/[\w-]+\/src|scripts|bench)\/.*\.tsx?$/

/** Finds exports that no other module in the repository imports. */
export function checkExports(root: string): Violation[] {
  const manifests = readManifests(root)
  const modules = folders
    .flatMap((folder) => endings.flatMap((ending) => filesBelow(root, folder, ending)))
    .filter((file) => !/(^|\/)(dist|node_modules)\//.test(file))
    .map((file) => readNames(root, file, manifests))
  const used = new Set(modules.flatMap(({ imports }) => imports))
  const entries = new Set(manifests.flatMap((manifest) => [...manifest.entries.values()]))
  return modules
    .filter(({ file }) => EXPORTING.test(file) && !entries.has(file))
    .flatMap(({ file, exports }) =>
      [...exports]
        .filter(([name]) => !used.has(`${file} ${name}`))
        .map(([name, line]) => ({
          file,
          line,
          message: `${name} is exported but never imported`,
          mend: 'remove `export`, or the unused declaration',
        })),
    )
}

interface Names {
  readonly file: string
  /** Line numbers by name. */
  readonly exports: ReadonlyMap<string, number>
  /** Imports from modules in this repository, as `file name`. */
  readonly imports: readonly string[]
}

function readNames(root: string, file: string, manifests: readonly Manifest[]): Names {
  const text = readFileSync(join(root, file), 'utf8')
  const nodes = nodesOf(parseTypeScript(text, file))
  const exports = new Map<string, number>()
  for (const node of nodes) for (const name of exportedBy(node)) exports.set(name, lineOf(text, node.start))
  const words = new Set(nodes.flatMap((node) => nameOf(node) ?? []))
  const imports = nodes.flatMap((node) => {
    const specifier = isNode(node.source) ? stringOf(node.source) : undefined
    const target = specifier === undefined ? undefined : resolve(root, file, sourceOf(specifier), manifests)
    if (target === undefined) return []
    return (importedNames(node) ?? [...words]).map((name) => `${target} ${name}`)
  })
  return { file, exports, imports: [...imports, ...typeImports(root, file, text, manifests)] }
}

/** Returns type imports in comments of JavaScript files. */
function typeImports(root: string, file: string, text: string, manifests: readonly Manifest[]): string[] {
  return [...text.matchAll(/@import \{ ([^}]+) \} from '([^']+)'/g)].flatMap(([, names = '', specifier = '']) =>
    names.split(', ').map((name) => `${resolve(root, file, specifier, manifests)} ${name}`),
  )
}

/** Returns the source of a build output, which programs import. */
function sourceOf(specifier: string): string {
  return specifier.replace(/^(\.[./]*)dist\/(.+)\.js$/, '$1src/$2.ts')
}

function exportedBy(node: SyntaxNode): string[] {
  if (node.type !== 'ExportNamedDeclaration') return []
  const { declaration } = node
  if (!isNode(declaration)) return listOf(node.specifiers).flatMap(({ exported }) => nameOf(exported) ?? [])
  const { id, declarations } = declaration
  return [id, ...listOf(declarations).map((declared) => declared.id)].flatMap((name) => nameOf(name) ?? [])
}

/** Returns the imported names. Undefined for a namespace or `import()`, which may use any name in the module. */
function importedNames({ specifiers }: SyntaxNode): string[] | undefined {
  if (!Array.isArray(specifiers)) return undefined
  const given = listOf(specifiers)
  if (given.some(({ type }) => type === 'ImportNamespaceSpecifier')) return undefined
  return given.flatMap(({ type, imported, local }) => nameOf(type === 'ImportSpecifier' ? imported : local) ?? [])
}

function listOf(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}
