/**
 * `node scripts/dist/bundle.js [FOLDER]`: bundles the command for the package `joust`: CommonJS chunks, the files that
 * it reads, and the licences of the bundled packages. A separate FOLDER also gets its `bin`.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type InputOptions, type ModuleInfo, type OutputChunk, rolldown } from 'rolldown'
import { licences } from './licences.ts'
import { repositoryRoot } from './repository.ts'

const root = repositoryRoot()
const home = join(root, 'packages/cli')
const folder = resolve(process.argv[2] ?? home)
const out = join(folder, 'bundle')

/**
 * Entries whose modules are bundled into one file: everything that `joust validate` loads for a document without CEL.
 */
const startEntries = [
  'packages/cli/src/main.ts',
  'packages/cli/src/commands/validate.ts',
  'packages/cli/src/render/text.ts',
  'packages/cli/src/terminal/colours.ts',
].map((file) => join(root, file))

/** Files that the command reads, by repository path, as in `packages/cli/src/terminal/assets.ts`. */
const assets = [
  'library',
  'docs/schemas',
  'examples/defences/tight.agf.yaml',
  'examples/targets/python/joust_agent.py',
  'examples/hardening',
  'examples/agents',
  'packages/authoring/python',
]

const input: InputOptions = {
  platform: 'node',
  // An optional peer, used if it is installed with the command.
  external: ['@opentelemetry/api'],
  // The bundler adds `import` or `require`, depending on how a module is imported.
  resolve: { conditionNames: ['joust-source', 'node', 'default'] },
  // rolldown 1.2 fails on constants in a package that is also imported on demand.
  optimization: { inlineConst: false },
}

rmSync(out, { recursive: true, force: true })
if (folder !== home) cpSync(join(home, 'bin'), join(folder, 'bin'), { recursive: true })
const chunks = await bundle()
for (const asset of assets) {
  mkdirSync(dirname(join(out, 'assets', asset)), { recursive: true })
  cpSync(join(root, asset), join(out, 'assets', asset), { recursive: true })
}
execFileSync(process.execPath, [
  join(root, 'scripts/dist/studio-client.js'),
  join(out, 'assets/packages/studio/dist/web'),
])
writeFileSync(join(out, 'LICENSES.txt'), licences('The bundle of joust', chunks))
const size = chunks.reduce((sum, { code }) => sum + code.length, 0)
console.log(`${chunks.length} chunks, ${Math.round(size / 1024)} KB, in ${out}`)

async function bundle(): Promise<OutputChunk[]> {
  const start = await staticClosure(startEntries)
  const build = await rolldown({ ...input, input: { main: join(root, 'packages/cli/src/main.ts') } })
  const { output } = await build.write({
    dir: out,
    format: 'cjs',
    minify: true,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    codeSplitting: {
      groups: [
        { name: 're2js', test: /node_modules.re2js/, priority: 1 },
        { name: 'start', test: (id) => start.has(id) },
      ],
    },
  })
  await build.close()
  const found = output.filter((item) => item.type === 'chunk')
  for (const { fileName, code } of found) writeFileSync(join(out, fileName), ascii(withoutImport(code)), 'latin1')
  return found
}

/** Removes the function that imports users' modules, because `bin/joust.js` provides it. */
function withoutImport(code: string): string {
  return code.replaceAll(/\bimport\(/g, '__import(')
}

/**
 * Converts code to equivalent ASCII. Throws where escapes are not interpreted: in a raw template or after a backslash.
 */
function ascii(code: string): string {
  const unread = /\.raw`[^`]*[^\0-\x7f]|\\[^\0-\x7f]/.exec(code)
  if (unread !== null) throw new Error(`cannot be written in ASCII: ${unread[0]}`)
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Returns the modules that the entries import statically. */
async function staticClosure(entries: readonly string[]): Promise<ReadonlySet<string>> {
  const onDemand = new Set<string>()
  const build = await rolldown({
    ...input,
    input: [...entries],
    plugins: [{ name: 'on demand', moduleParsed }],
  })
  const { output } = await build.generate({ format: 'cjs' })
  await build.close()
  const chunks = new Map(output.flatMap((item) => (item.type === 'chunk' ? [[item.fileName, item]] : [])))
  const found = new Set([...chunks.values()].filter((chunk) => chunk.isEntry))
  for (const { imports } of found)
    for (const name of imports) {
      const chunk = chunks.get(name)
      if (chunk !== undefined) found.add(chunk)
    }
  // The bundler puts entries, and modules that are imported on demand, into separate chunks.
  return new Set([...found].flatMap(needed).filter((id) => !entries.includes(id) && !onDemand.has(id)))

  function moduleParsed({ dynamicallyImportedIds }: ModuleInfo): void {
    for (const one of dynamicallyImportedIds) onDemand.add(one)
  }
}

/** Returns the modules in a chunk that are not empty after tree shaking. */
function needed({ modules }: OutputChunk): string[] {
  return Object.keys(modules).filter((id) => (modules[id]?.renderedLength ?? 0) > 0)
}
