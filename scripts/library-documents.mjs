/**
 * `node scripts/library-documents.mjs`: writes the attacks in `library` and their proofs to
 * `packages/library/src/documents.ts`. The compiler needs that file, so this script uses no compiled code.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from 'js-yaml'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(root, 'library')
const out = join(root, 'packages/library/src/documents.ts')
const ending = '.oatf.yaml'

const names = readdirSync(folder)
  .filter((file) => file.endsWith(ending))
  .map((file) => file.slice(0, -ending.length))
  .sort()
const texts = names.map((name) => [name, readFileSync(join(folder, name + ending), 'utf8')])
const { simulation, proofs } = JSON.parse(readFileSync(join(root, 'docs/generated/library-proofs.json'), 'utf8'))

const written = `/** Written from \`library\` by \`npm run build\`; not in the repository. */

/** The name of a library attack. */
export type LibraryName =
${names.map((name) => `  | '${name}'`).join('\n')}

export const documents: Readonly<Record<LibraryName, string>> = ${JSON.stringify(Object.fromEntries(texts))}

export const rows: readonly Row[] = ${JSON.stringify(texts.map(rowOf))}

interface Row {
  readonly name: LibraryName
  readonly id: string
  readonly title: string
  readonly severity: string
  readonly category: string
  readonly protocols: readonly string[]
  readonly tags: readonly string[]
  readonly mappings: readonly { readonly framework: string; readonly id: string }[]
}

export const proofs: { readonly simulation: number; readonly proofs: readonly Proof[] } = ${JSON.stringify({ simulation, proofs })}

interface Proof {
  readonly file: string
  readonly fingerprint: string
  readonly unspecific?: boolean
}
`
if (!existsSync(out) || readFileSync(out, 'utf8') !== written) writeFileSync(out, written)

function rowOf([name, text]) {
  const { id, name: title, severity, classification = {}, execution } = load(text).attack
  const { category = '', tags = [], mappings = [] } = classification
  const modes = execution.actors?.map(({ mode }) => mode) ?? [execution.mode]
  const protocols = [...new Set(modes.map((mode) => mode.replace(/_(?:server|client)$/, '')))]
  const techniques = mappings.map(({ framework, id: technique }) => ({ framework, id: technique }))
  return { name, id, title, severity: severity?.level ?? severity, category, protocols, tags, mappings: techniques }
}
