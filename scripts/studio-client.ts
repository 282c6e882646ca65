/**
 * `node scripts/dist/studio-client.js [FOLDER]`: builds the studio's page with its scripts, and the worker of its
 * editor.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type OutputChunk, rolldown } from 'rolldown'
import { licences } from './licences.ts'
import { repositoryRoot } from './repository.ts'

const root = repositoryRoot()
const out = resolve(process.argv[2] ?? join(root, 'packages/studio/dist/web'))
const client = join(root, 'packages/studio/src/client')

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
// Built separately. Otherwise shared code would be a third file that both would have to load first.
const chunks = [...(await build('studio', 'main.tsx')), ...(await build('language-worker', 'language-worker.ts'))]
writeFileSync(join(out, 'index.html'), readFileSync(join(client, 'index.html'), 'utf8'))
writeFileSync(join(out, 'LICENSES.txt'), licences('The page of the studio', chunks))
for (const { fileName, code } of chunks) console.log(`${fileName} ${Math.round(code.length / 1024)} KB`)

async function build(name: string, entry: string): Promise<OutputChunk[]> {
  const build = await rolldown({
    input: { [name]: join(client, entry) },
    cwd: root,
    platform: 'browser',
    resolve: { conditionNames: ['joust-source', 'browser', 'import', 'default'] },
    external: [/^node:/],
    // rolldown 1.2 fails on constants in a package that is also imported on demand.
    optimization: { inlineConst: false },
  })
  const { output } = await build.write({
    dir: out,
    format: 'esm',
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: `${name}-[name]-[hash].js`,
  })
  await build.close()
  const found = output.filter((item) => item.type === 'chunk')
  const strange = found.flatMap(({ imports }) => imports).filter((id) => id.startsWith('node:'))
  if (strange.length > 0) throw new Error(`${name} imports ${strange.join(', ')}`)
  return found
}
