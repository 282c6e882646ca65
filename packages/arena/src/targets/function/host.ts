/** The program that loads a module and calls its function: a line of JSON in for each turn, a line out. */
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Where a function is. */
export interface FunctionPlace {
  /** The file, by its absolute path. */
  readonly module: string
  /** The name of the export; `default`, if nothing is said. */
  readonly export?: string
}

/** The words that start it: it serves the function, or lists those that the module has. */
export function hostWords(
  { module, export: name = 'default' }: FunctionPlace,
  task: 'serve' | 'list',
): readonly string[] {
  const program = ['--input-type=module', '--eval', `${COMMON}${task === 'serve' ? SERVE : LIST}`]
  return [NODE, ...loaderOf(module), ...program, '--', pathToFileURL(module).href, name]
}

// A single executable is not a Node that could run anything else.
const NODE = /^node(?:js)?(?:\.exe)?$/.test(basename(process.execPath)) ? process.execPath : 'node'

/** A project that runs its TypeScript by tsx goes on doing so. */
function loaderOf(module: string): readonly string[] {
  try {
    return ['--import', pathToFileURL(createRequire(module).resolve('tsx')).href]
  } catch {
    return []
  }
}

// A text and not a module: the same words start it from the sources, from the packages and from the packed command, whose
// packer takes `import(` without a space for an import of its own.
const COMMON = `
const [, url, name] = process.argv
const say = process.stdout.write.bind(process.stdout)
process.stdout.write = process.stderr.write.bind(process.stderr)
`

const LIST = `
const tell = (what) => say(JSON.stringify(what) + '\\n', () => process.exit(0))
const list = (exported) => Object.keys(exported).filter((key) => typeof exported[key] === 'function')
import (url).then((exported) => tell({ functions: list(exported) }), (thrown) => tell({ error: String(thrown) }))
`

const SERVE = `
const exported = await import (url)
const { readFileSync } = await import ('node:fs')
const { createInterface } = await import ('node:readline')
const read = (variable) => JSON.parse(readFileSync(process.env[variable], 'utf8'))
const { mcpServers } = read('MCP_CONFIG')
const { agents } = read('A2A_CONFIG')
const over = new AbortController()
const lines = createInterface({ input: process.stdin })
lines.on('close', () => {
  over.abort()
  setTimeout(() => process.exit(), 100).unref()
})
const answerTo = async (line) => {
  const { prompt, input, session: conversation, turn: number } = JSON.parse(line)
  try {
    const answer = await exported[name]({ prompt, input, number, conversation, mcpServers, agents, signal: over.signal })
    if (typeof answer === 'string') return { answer, turn: number }
    const got = answer === null ? 'null' : typeof answer
    return { error: 'it has to answer with a text, and answered with ' + got }
  } catch (thrown) {
    return { error: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}
lines.on('line', async (line) => void say(JSON.stringify(await answerTo(line)) + '\\n'))
`
