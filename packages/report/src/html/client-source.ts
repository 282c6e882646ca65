/** The script of the report: the files of `client`, joined into one. They are plain JavaScript, so that they are the same here and in `dist`. */
import { readFileSync } from 'node:fs'
import { severityLevels, tiers } from '@joust/oatf'

/** In the order in which they are joined: what a file needs while it is loaded stands before it. */
export const clientFiles = [
  'flags',
  'text',
  'dom',
  'words',
  'icons',
  'store',
  'router',
  'filters',
  'rows',
  'json-lines',
  'why',
  'grid-keys',
  'virtual-list',
  'evidence',
  'statistics',
  'sequence-row',
  'sequence',
  'message',
  'indicators',
  'run-facts',
  'task',
  'attack-head',
  'attack',
  'filter-bar',
  'matrix',
  'coverage',
  'overview',
  'theme',
  'main',
] as const

/** What the files import from packages, written out for them. */
const given = { severityLevels, tiers }

const IMPORT = /^import \{[^}]*\} from '(?:\.\/[\w-]+\.js|@joust\/oatf)'(?:;)?\n/gm
const EXPORT = /^export (?=(?:async )?function |const )/gm
// Documentation; `dist` has none.
const COMMENT = /^ *\/\*\*(?:[^*]|\*(?!\/))*\*\/\n/gm

/** One script, strict and in a scope of its own. */
export function clientSource(): string {
  const files = clientFiles.map((name) => readFileSync(new URL(`./client/${name}.js`, import.meta.url), 'utf8'))
  const joined = files.map((text) => text.replaceAll(COMMENT, '').replaceAll(IMPORT, '').replaceAll(EXPORT, ''))
  const tables = Object.entries(given).map(([name, value]) => `const ${name} = ${JSON.stringify(value)}`)
  return `(() => {\n'use strict'\n${tables.join('\n')}\n${joined.join('\n')}\nstartReport()\n})()\n`
}
