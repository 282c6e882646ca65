/**
 * `node --import ./conformance-node20.mjs …`: lets @modelcontextprotocol/conformance start on Node 20. It
 * imports `globSync`, which Node 20 lacks and which only a command that is not run here needs; a missing name stops the
 * whole module. So the package gets a file system module with just the names it imports.
 */
import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const names = ['existsSync', 'globSync', 'mkdtempSync', 'promises', 'readFileSync', 'readdirSync', 'writeFileSync']
const source = `import fs from 'node:fs'; export const { ${names.join(', ')} } = fs`
const fileSystem = `data:text/javascript,${encodeURIComponent(source)}`

/** Node calls this for each import, in a thread that has loaded this file once more. */
export async function resolve(specifier, context, next) {
  const asking = context.parentURL ?? ''
  if (specifier !== 'fs' || !asking.includes('/@modelcontextprotocol/conformance')) return next(specifier, context)
  return { url: fileSystem, shortCircuit: true }
}

if (isMainThread) register(import.meta.url)
