/**
 * `node scripts/dist/bundle-format.js [FOLDER]`: bundles a format package or `@joust/source` for publication. Each
 * entry point is one file, shared code is in chunks, and packages that are not dependencies are included with their
 * licences. Types are not changed. FOLDER is the compiled package or a copy of it. In a checkout, the next `tsc -b`
 * restores the separate files.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type OutputAsset, type OutputChunk, rolldown } from 'rolldown'
import { licences } from './licences.ts'
import { repositoryRoot } from './repository.ts'

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly 'joust-source': string; readonly default: string }>>
  readonly dependencies?: Readonly<Record<string, string>>
}

const CHUNKS = 'chunk-[name].js'

const folder = resolve(process.argv[2] ?? '.')
const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const home = join(repositoryRoot(), 'packages', manifest.name.replace('@joust/', ''))
const dist = join(folder, 'dist')

const output = await bundle()
removeScripts()
// Makes the next `tsc -b` write every file again.
rmSync(join(dist, '.tsbuildinfo'), { force: true })
for (const item of output) writeFileSync(join(dist, item.fileName), item.type === 'chunk' ? item.code : item.source)
const chunks = output.filter((item) => item.type === 'chunk')
if (chunks.some(({ moduleIds }) => moduleIds.some((id) => id.includes('/node_modules/'))))
  writeFileSync(join(dist, 'LICENSES.txt'), licences(manifest.name, chunks))
console.log(`${manifest.name}: ${chunks.length} files`)

async function bundle(): Promise<(OutputChunk | OutputAsset)[]> {
  const dependencies = Object.keys(manifest.dependencies ?? {})
  const build = await rolldown({
    input: entries(),
    platform: 'neutral',
    external: (id) => dependencies.some((name) => id === name || id.startsWith(`${name}/`)),
    resolve: { conditionNames: ['joust-source', 'import', 'default'], mainFields: ['module', 'main'] },
    // rolldown 1.2 fails on constants in a package that is also imported on demand.
    optimization: { inlineConst: false },
  })
  // Source paths are relative to `dist`, even if FOLDER is a copy.
  const format = { dir: join(home, 'dist'), format: 'es', sourcemap: true } as const
  const generated = await build.generate({ ...format, entryFileNames: '[name].js', chunkFileNames: CHUNKS })
  await build.close()
  return generated.output
}

/** Returns the source of each entry point, by the path of its compiled file below `dist` without `.js`. */
function entries(): Record<string, string> {
  const all = Object.values(manifest.exports).flatMap((entry) => (typeof entry === 'string' ? [] : [entry]))
  return Object.fromEntries(
    all.map((entry) => [entry.default.replace(/^\.\/dist\/|\.js$/g, ''), join(home, entry['joust-source'])]),
  )
}

/** Removes compiler output except types and their maps. */
function removeScripts(): void {
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' }))
    if (/\.js(?:\.map)?$/.test(file)) rmSync(join(dist, file))
}
