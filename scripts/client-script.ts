/** The script of the HTML report: the components and what they need, as a string in a module. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import type { Page } from './render-tables.ts'

const entry = 'packages/report/src/components/main.tsx'
/** Libraries that are bundled, so that their licences have to be named. */
const libraries = ['preact', '@preact/signals']

/** Bundles the script; nothing from Node may be left in it. */
export async function renderClientScript(root: string): Promise<Page> {
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
  // This would end the element that contains the script.
  const script = `/* ${libraries.map((name) => licence(root, name)).join('; ')} */\n${code.trim()}`.replaceAll(
    '</script',
    '<\\/script',
  )
  const text = `/** Generated from ${entry}; \`npm run generate\` writes it anew. */\nexport const clientScript: string =\n  ${JSON.stringify(script)}\n`
  return { file: 'packages/report/src/html/client-script.ts', text }
}

/** `preact 11.2.0, MIT, Copyright (c) …` */
function licence(root: string, name: string): string {
  const folder = join(root, 'node_modules', name)
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const [copyright = ''] = /^Copyright.*$/m.exec(readFileSync(join(folder, 'LICENSE'), 'utf8')) ?? []
  return `${name} ${version}, ${license}, ${copyright}`
}
