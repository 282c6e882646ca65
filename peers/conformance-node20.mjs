/**
 * `node --import ./conformance-node20.mjs …`: lets @modelcontextprotocol/conformance start on Node.js 20. It imports
 * `globSync`, which Node.js 20 lacks and only an unused command needs, but a missing name prevents the module from
 * loading. So the package gets a file system module with only the names that it imports.
 */
import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const names = ['existsSync', 'globSync', 'mkdtempSync', 'promises', 'readFileSync', 'readdirSync', 'writeFileSync']
const source = `import fs from 'node:fs'; export const { ${names.join(', ')} } = fs`
const fileSystem = `data:text/javascript,${encodeURIComponent(source)}`

/** Called by Node.js for each import, in a thread that has loaded this file again. */
export async function resolve(specifier, context, next) {
  const asking = context.parentURL ?? ''
  if (specifier !== 'fs' || !asking.includes('/@modelcontextprotocol/conformance')) return next(specifier, context)
  return { url: fileSystem, shortCircuit: true }
}

if (isMainThread) register(import.meta.url)
