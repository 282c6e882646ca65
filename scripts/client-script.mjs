/**
 * `node scripts/client-script.mjs`: bundles the script of the HTML report with its components and libraries into a
 * string in `packages/report/src/html/client-script.ts`. The compiler needs that file, so this script reads only
 * sources.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
// The other generated source.
import './library-documents.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const entry = 'packages/report/src/components/main.tsx'
const out = join(root, 'packages/report/src/html/client-script.ts')
/** Bundled libraries whose licences must be included. */
const libraries = ['preact', '@preact/signals']

const script = `/* ${libraries.map(licence).join('; ')} */\n${await bundle()}`
// This would end the script element.
const literal = JSON.stringify(script.replaceAll('</script', '<\\/script'))
const text = `/** Bundled from ${entry} by \`npm run build\`; not in the repository. */\nexport const clientScript: string =\n  ${literal}\n`
if (!existsSync(out) || readFileSync(out, 'utf8') !== text) writeFileSync(out, text)

async function bundle() {
  const build = await rolldown({
    input: join(root, entry),
    cwd: root,
    platform: 'browser',
    resolve: { conditionNames: ['joust-source', 'browser', 'import', 'default'] },
    external: [/^node:/],
  })
  const { output } = await build.generate({ format: 'iife', minify: true })
  await build.close()
  const [{ code, imports }] = output
  if (imports.length > 0) throw new Error(`the script of the report imports ${imports.join(', ')}`)
  return code.trim()
}

function licence(name) {
  const folder = join(root, 'node_modules', name)
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const [copyright = ''] = /^Copyright.*$/m.exec(readFileSync(join(folder, 'LICENSE'), 'utf8')) ?? []
  return `${name} ${version}, ${license}, ${copyright}`
}
