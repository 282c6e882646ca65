/** `node scripts/dist/generate.js [--check]`: writes docs/generated, docs/schemas and docs/conformance.md. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { report } from './checks/violation.ts'
import { libraryCoverage } from './library-coverage.ts'
import { libraryProofs } from './library-proofs.ts'
import { type Page, renderPages, renderSchemas } from './render-tables.ts'
import { repositoryRoot } from './repository.ts'
import { checkStatement } from './statement/check.ts'
import { itemLists } from './statement/lists.ts'
import { renderStatement } from './statement/render.ts'
import { loadTables } from './tables.ts'

const root = repositoryRoot()
const tables = await loadTables(root)
const pages = [...allPages(), await libraryProofs(root)]
const stale = pages.filter(({ file, text }) => read(file) !== text)

if (process.argv.includes('--check')) {
  for (const { file } of stale) console.error(`${file} is out of date\n    fix: npm run generate`)
  if (stale.length > 0) process.exitCode = 1
} else {
  for (const { file, text } of stale) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
    console.log(`wrote ${file}`)
  }
}

if (report('statement of conformance', checkStatement(root, itemLists, tables)) !== 0) process.exitCode = 1

function allPages(): Page[] {
  return [...renderPages(tables, read), ...renderSchemas(tables), renderStatement(tables, itemLists), libraryCoverage()]
}

function read(file: string): string {
  const path = join(root, file)
  return existsSync(path) ? readFileSync(path, 'utf8').replaceAll('\r\n', '\n') : ''
}
