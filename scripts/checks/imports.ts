/** Checks imports against the layer table, and general rules for source files. */
import { posix } from 'node:path'
import { type FolderLayer, folderLayers, type Library, libraries, type PackageLayer, packageLayers } from '../layers.ts'
import { checkCycles } from './cycles.ts'
import { checkLightEntries } from './light-entries.ts'
import { type Manifest, type Module, type ModuleImport, packageOf, readManifests, readModules } from './modules.ts'
import type { Violation } from './violation.ts'

export const MAXIMUM_LINES = 400

/** Checks every source file of every package below a root. */
export function checkImports(root: string): Violation[] {
  const manifests = readManifests(root)
  const modules = readModules(root, manifests)
  return [
    ...modules.flatMap((module) => module.imports.flatMap((found) => checkImport(module, found, manifests))),
    ...modules.flatMap(checkFile),
    ...checkCycles(modules),
    ...checkLightEntries(modules),
  ]
}

function checkImport(module: Module, found: ModuleImport, manifests: readonly Manifest[]): Violation[] {
  const violation = (message: string, mend: string) => [{ file: module.file, line: found.line, message, mend }]
  if (found.specifier.startsWith('.')) {
    const fault = relativeFault(module, found)
    return fault === undefined ? [] : violation(fault.message, fault.mend)
  }
  const owner = packageLayers.find((layer) => layer.folder === module.folder)
  if (owner === undefined) {
    return violation(`the package ${module.folder} has no layer`, 'add it to packageLayers in scripts/layers.ts')
  }
  if (found.specifier.startsWith('node:')) {
    if (mayUseNode(owner, module)) return []
    return violation(`${owner.name} may not import ${found.specifier}`, 'pass in what is needed as a parameter')
  }
  const fault = packageFault(module, found, importsOf(owner, module)) ?? undeclaredFault(module, found, manifests)
  return fault === undefined ? [] : violation(fault.message, fault.mend)
}

function mayUseNode({ node, folder }: PackageLayer, module: Module): boolean {
  if (typeof node === 'boolean') return node
  return isIn(node, folder, module)
}

function importsOf({ imports, peers, folder }: PackageLayer, module: Module): readonly string[] {
  return peers !== undefined && isIn(peers.only, folder, module) ? [...imports, ...peers.imports] : imports
}

function isIn(places: readonly string[], folder: string, module: Module): boolean {
  return places.some((place) => isWithin(`packages/${folder}/src/${place}`, module.file))
}

type Fault = Pick<Violation, 'message' | 'mend'>

function relativeFault(module: Module, { specifier, target }: ModuleImport): Fault | undefined {
  const source = `packages/${module.folder}/src/`
  if (!posix.join(posix.dirname(module.file), specifier).startsWith(source)) {
    return { message: `${specifier} is outside the package`, mend: 'import the other package by its name' }
  }
  if (target === undefined || !/\.tsx?$/.test(specifier)) {
    return { message: `${specifier} is not a source file`, mend: 'use the file extension .ts' }
  }
  const own = folderLayers.filter((layer) => layer.package === module.folder)
  if (own.length === 0) return undefined
  const from = layerOf(own, module.file.slice(source.length))
  const to = layerOf(own, target.slice(source.length))
  if (from === undefined || to === undefined) {
    const stray = from === undefined ? module.file : target
    return {
      message: `${stray} is not in any layer`,
      mend: 'move it into a folder of scripts/layers.ts, or add a row there',
    }
  }
  if (from === to || from.imports.includes(to.name)) return undefined
  const allowed = from.imports.length === 0 ? 'nothing in the package' : from.imports.join(', ')
  return {
    message: `"${from.name}" may not import "${to.name}" (${specifier})`,
    mend: `"${from.name}" may import ${allowed}: move the code to a layer that both may import`,
  }
}

function layerOf(layers: readonly FolderLayer[], path: string): FolderLayer | undefined {
  return layers.find((layer) =>
    layer.files.some((file) => (file.endsWith('/') ? path.startsWith(file) : path === file)),
  )
}

function packageFault(
  module: Module,
  { specifier, target }: ModuleImport,
  allowed: readonly string[],
): Fault | undefined {
  const name = packageOf(specifier)
  if (packageLayers.some((layer) => layer.name === name)) {
    if (!allowed.includes(name)) {
      return {
        message: `packages/${module.folder} may not import ${name}`,
        mend: 'see packageLayers in scripts/layers.ts',
      }
    }
    if (target !== undefined) return undefined
    return {
      message: `${name} does not export ${specifier}`,
      mend: `import what its index exports, or add it to "exports"`,
    }
  }
  const library = libraries.find((candidate) => candidate.name === name)
  if (library === undefined) {
    return { message: `${name} is not a library of this repository`, mend: 'see docs/recipes.md, "Add a library"' }
  }
  if (mayImport(library, module.file)) return undefined
  const places = [library.only].flat().join(' and ')
  return { message: `only ${places} may import ${name}`, mend: `call what ${places} offers` }
}

function mayImport({ only }: Library, file: string): boolean {
  return [only].flat().some((place) => isWithin(place, file))
}

function isWithin(place: string, file: string): boolean {
  return place.endsWith('/') ? file.startsWith(place) : file === place
}

function undeclaredFault(
  module: Module,
  { specifier }: ModuleImport,
  manifests: readonly Manifest[],
): Fault | undefined {
  const name = packageOf(specifier)
  const manifest = manifests.find((candidate) => candidate.folder === module.folder)
  if (manifest?.dependencies.includes(name)) return undefined
  const file = `packages/${module.folder}/package.json`
  return { message: `${name} is not declared in ${file}`, mend: `add it to "dependencies" in ${file}` }
}

function checkFile(module: Module): Violation[] {
  const at = (line: number, message: string, mend: string) => ({ file: module.file, line, message, mend })
  const { defaultExports, exportsAll, lines } = module
  return [
    ...defaultExports.map((line) => at(line, 'default export', 'use a named export')),
    ...exportsAll.map((line) => at(line, 'export *', 'list the names: an index is a public API')),
    ...(lines > MAXIMUM_LINES ? [at(lines, `${lines} lines, ${MAXIMUM_LINES} at most`, 'split the file')] : []),
  ]
}
