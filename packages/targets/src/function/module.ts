/** A function in a JavaScript or TypeScript module, called in a separate process. */

import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { arenaLimits, type TargetArena, type TargetSession } from '@joust/arena'
import { readValue, startChild } from '@joust/arena/wire'
import { didYouMean, err, isList, isRecord, messageOf, ok, own, type Result } from '@joust/source'
import { NODE } from '../command/bridge.ts'
import { followCommand } from '../command/process.ts'
import { type CommandTargetOptions, startCommand } from '../command.ts'
import { failureText } from '../failure-text.ts'
import { targetLimits } from '../limits.ts'
import { placeholderKeys } from '../models/access.ts'
import { describeThrown } from './thrown.ts'

/** The module and export of an agent function. */
export interface FunctionLocation {
  /** Absolute path of the module. TypeScript needs `tsx` in the project, or a Node.js version that can load it. */
  readonly module: string
  /** Name of the export. @default 'default' */
  readonly export?: string
}

export function startModule(
  name: string,
  location: FunctionLocation & Omit<CommandTargetOptions, 'command'>,
  arena: TargetArena,
): Promise<TargetSession> {
  const { environment = process.env } = location
  const command = hostWords(location, 'serve')
  const agent = { name, about: '', command, lines: true, answer: 'answer' }
  // The function is the user's own code, so it gets the user's home directory and environment.
  const userAccess = { useHome: true, passEnv: Object.keys(environment) }
  return startCommand(name, agent, { ...location, ...userAccess, command }, arena, {
    who: name,
    placeOf: () => `given to ${name}`,
  })
}

/**
 * Checks that a module exports the function, by loading it in a separate process. With `isKeyless`, model clients in
 * the module get placeholders for missing keys, as in runs that call no provider.
 */
export async function checkFunction(
  location: FunctionLocation & Pick<CommandTargetOptions, 'cwd' | 'environment'> & { readonly isKeyless?: boolean },
): Promise<Result<void, string>> {
  const { environment = process.env, cwd, export: name = 'default', isKeyless } = location
  const [command = '', ...args] = hostWords(location, 'list')
  const env = isKeyless ? { ...placeholderKeys(), ...environment } : environment
  const printed = await runToEnd({ command, args, env, ...(cwd !== undefined && { cwd }) })
  if (!printed.ok) return err(`cannot load the module: ${printed.error}`)
  if (printed.value.includes(name)) return ok(undefined)
  const hint = didYouMean(name, printed.value)
  return err(`the module exports no function ${JSON.stringify(name)}; set "export" to the name of one.${hint}`)
}

async function runToEnd(options: Parameters<typeof startChild>[0]): Promise<Result<readonly string[], string>> {
  try {
    const running = followCommand(await startChild(options), '')
    const timer = setTimeout(() => void running.stop(), targetLimits.loadMs)
    const exit = await running.ended.finally(() => clearTimeout(timer))
    const read = readValue(running.output().trim().split('\n').at(-1) ?? '', arenaLimits.answerText)
    const result = read.ok && isRecord(read.value) ? read.value : {}
    const names = own(result, 'functions')
    if (isList(names)) return ok(names.filter((name) => typeof name === 'string'))
    const error = own(result, 'error')
    if (typeof error === 'string') return err(error)
    return err(failureText(exit.text, running.printed()))
  } catch (thrown) {
    return err(messageOf(thrown))
  }
}

/** Returns the command that serves a function, or lists a module's functions. */
export function hostWords(
  { module, export: name = 'default' }: FunctionLocation,
  task: 'serve' | 'list',
): readonly string[] {
  const program = ['--input-type=module', '--eval', `${COMMON}${task === 'serve' ? SERVE : LIST}`]
  return [NODE, ...loaderOf(module), ...program, '--', pathToFileURL(module).href, name]
}

/** Returns flags to load TypeScript: with tsx if the project has it, otherwise with a Node.js option if necessary. */
function loaderOf(module: string): readonly string[] {
  try {
    return ['--import', pathToFileURL(createRequire(module).resolve('tsx')).href]
  } catch {
    const canStrip = process.allowedNodeEnvironmentFlags.has(STRIP_TYPES)
    return /\.[cm]?ts$/.test(module) && canStrip ? [STRIP_TYPES, '--disable-warning=ExperimentalWarning'] : []
  }
}

const STRIP_TYPES = '--experimental-strip-types'

// A string instead of a module, so that it works in sources, packages and the bundled command. The bundler would
// rewrite `import(` without a space.
const COMMON = `
const [, url, name] = process.argv
const say = process.stdout.write.bind(process.stdout)
process.stdout.write = process.stderr.write.bind(process.stderr)
const describe = ${describeThrown}
`

const LIST = `
const print = (result) => say(JSON.stringify(result) + '\\n', () => process.exit(0))
const list = (exported) => Object.keys(exported).filter((key) => typeof exported[key] === 'function')
import (url).then((exported) => print({ functions: list(exported) }), (thrown) => print({ error: describe(thrown) }))
`

// A separate thread detects the exit of joust even while the function blocks the main thread.
const SERVE = `
const { Worker } = await import ('node:worker_threads')
const end = 'process.ppid === ' + process.ppid + ' || process.kill(process.pid, "SIGKILL")'
new Worker('setInterval(() => ' + end + ', 500)', { eval: true }).unref()
const loadError = (thrown) => ({ error: 'cannot load the module: ' + describe(thrown) })
const loaded = await import (url).then((exported) => ({ exported }), loadError)
const { readFileSync } = await import ('node:fs')
const { createInterface } = await import ('node:readline')
const read = (variable) => JSON.parse(readFileSync(process.env[variable], 'utf8'))
const { mcpServers } = read('MCP_CONFIG')
const { agents } = read('A2A_CONFIG')
const modelUrl = process.env.MODEL_URL
const over = new AbortController()
const lines = createInterface({ input: process.stdin })
lines.on('close', () => {
  over.abort()
  setTimeout(() => process.exit(), 100).unref()
})
const answerTo = async (line) => {
  const { prompt, input, session: conversation, turn: number } = JSON.parse(line)
  if (loaded.error !== undefined) return loaded
  try {
    const answer = await loaded.exported[name]({ prompt, input, number, conversation, mcpServers, agents, modelUrl, signal: over.signal })
    if (typeof answer === 'string') return { answer, turn: number }
    const got = answer === null ? 'null' : typeof answer
    return { error: 'expected the function to return a string, got ' + got }
  } catch (thrown) {
    return { error: describe(thrown) }
  }
}
lines.on('line', async (line) => void say(JSON.stringify(await answerTo(line)) + '\\n'))
`
