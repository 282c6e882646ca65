/**
 * `node --import ./conformance-node20.mjs …`: lets @modelcontextprotocol/conformance 0.1.16 start on Node 20. It imports
 * `globSync`, which came with Node 22 and serves a command that is not run here; a name that is not there stops the whole
 * module. So the package gets a file system with just the names it asks for.
 */
import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const names = ['existsSync', 'globSync', 'mkdtempSync', 'promises', 'readFileSync']
const source = `import fs from 'node:fs'; export const { ${names.join(', ')} } = fs`
const fileSystem = `data:text/javascript,${encodeURIComponent(source)}`

/** Called by Node for each import, in a thread that has loaded this file once more. */
export async function resolve(specifier, context, next) {
  const asking = context.parentURL ?? ''
  if (specifier !== 'fs' || !asking.includes('/@modelcontextprotocol/conformance/')) return next(specifier, context)
  return { url: fileSystem, shortCircuit: true }
}

if (isMainThread) register(import.meta.url)
