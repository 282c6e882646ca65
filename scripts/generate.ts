/** `node scripts/dist/generate.js [--check]`: writes docs/generated and the layer table of ARCHITECTURE.md. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fillMarked, limitDescriptions } from './generated-text.ts'
import { type Page, renderLayers, renderPages } from './render-tables.ts'
import { repositoryRoot } from './repository.ts'
import { loadTables } from './tables.ts'

const root = repositoryRoot()
const pages = await allPages()
const stale = pages.filter(({ file, text }) => read(file) !== text)

if (process.argv.includes('--check')) {
  for (const { file } of stale) console.error(`${file} is not up to date\n    mend: npm run generate`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else {
  for (const { file, text } of stale) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
    console.log(`wrote ${file}`)
  }
}

async function allPages(): Promise<Page[]> {
  const descriptions = limitDescriptions(read('packages/source/src/limits.ts'))
  const architecture = fillMarked(read('ARCHITECTURE.md'), 'layers', renderLayers())
  return [...renderPages(await loadTables(root), descriptions), { file: 'ARCHITECTURE.md', text: architecture }]
}

function read(file: string): string {
  const path = join(root, file)
  return existsSync(path) ? readFileSync(path, 'utf8').replaceAll('\r\n', '\n') : ''
}
