/** An agent that is a function in somebody's module, called in a process of its own: all it does ends with that. */

import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { didYouMean, err, isList, isRecord, messageOf, ok, own, type Result, type Value } from '@joust/source'
import { readValue } from '../drivers/json-rpc.ts'
import { arenaLimits } from '../model/limits.ts'
import { lackingOf } from '../model/needs.ts'
import type { Target } from '../model/target.ts'
import { startChild } from '../transport/child-process.ts'
import { followCommand } from './command/process.ts'
import { type CommandTargetOptions, startCommand } from './command.ts'
import { frontDoorAbilities } from './front-door/front-door.ts'
import type { InRequest } from './front-door/request.ts'

/** What the function gets. */
export interface FunctionTurn {
  /** What a user says. */
  readonly prompt: string
  /** The whole request of the client actor. */
  readonly input: Value
  /** Counts from 1 in each conversation. */
  readonly number: number
  /** Identifies the conversation; the same for all of its turns. */
  readonly conversation: string
  /** The MCP servers that the agent should use, by name. */
  readonly mcpServers: Readonly<Record<string, { readonly type: 'http'; readonly url: string }>>
  /** The A2A agents that it may delegate to, by name. */
  readonly agents: Readonly<Record<string, { readonly url: string }>>
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** The agent. */
export type AgentFunction = (turn: FunctionTurn) => string | Promise<string>

/** A function to attack. */
export interface FunctionTargetOptions
  extends FunctionPlace,
    Pick<CommandTargetOptions, 'prompt' | 'paste' | 'timeoutMs' | 'cwd' | 'environment'> {
  /** How it is named in results. */
  readonly name: string
  /** What it reads of a request besides the prompt; nothing by default. */
  readonly carries?: readonly InRequest[]
}

/** A function as a target. What it throws is a failure of the agent, never an answer. */
export function functionTarget(options: FunctionTargetOptions): Target {
  const { name, paste = [], carries = [], environment = process.env } = options
  const offer = {
    ...frontDoorAbilities,
    who: 'a function',
    servers: ['mcp_server', 'a2a_server'],
    carries: ['turns' as const, ...carries, ...paste],
  }
  const command = hostWords(options, 'serve')
  const agent = { name, about: '', command, lines: true, answer: 'answer' }
  // It is the user's own code: it finds what it would find if the user ran it.
  const everything = { useHome: true, passEnv: Object.keys(environment) }
  return {
    name,
    control: 'tool_call',
    lacks: (needs) => lackingOf(needs, offer),
    start: (arena) =>
      startCommand(name, agent, { ...options, ...everything, command }, arena, {
        who: name,
        told: () => `given to ${name}`,
      }),
  }
}

/** Whether a module has the function, by loading it in a process of its own; the error says what it has. */
export async function checkFunction(
  place: FunctionPlace & Pick<FunctionTargetOptions, 'cwd' | 'environment'>,
): Promise<Result<void, string>> {
  const { environment = process.env, cwd, export: name = 'default' } = place
  const [command = '', ...args] = hostWords(place, 'list')
  const printed = await runToEnd({ command, args, env: environment, ...(cwd !== undefined && { cwd }) })
  if (!printed.ok) return err(`the code cannot be loaded: ${printed.error}`)
  if (printed.value.includes(name)) return ok(undefined)
  const hint = didYouMean(name, printed.value)
  return err(`it exports no function ${JSON.stringify(name)}; "export" names another one.${hint}`)
}

async function runToEnd(options: Parameters<typeof startChild>[0]): Promise<Result<readonly string[], string>> {
  try {
    const running = followCommand(await startChild(options), '')
    const timer = setTimeout(() => void running.stop(), arenaLimits.loadMs)
    const exit = await running.ended.finally(() => clearTimeout(timer))
    const read = readValue(running.output().trim().split('\n').at(-1) ?? '', arenaLimits.answerText)
    const told = read.ok && isRecord(read.value) ? read.value : {}
    const names = own(told, 'functions')
    if (isList(names)) return ok(names.filter((name) => typeof name === 'string'))
    const error = own(told, 'error')
    if (typeof error === 'string') return err(error)
    return err(`${exit.text}; ${running.printed().trim().slice(-arenaLimits.commandTail) || 'it printed nothing'}`)
  } catch (thrown) {
    return err(messageOf(thrown))
  }
}

interface FunctionPlace {
  /** The file, by its absolute path. */
  readonly module: string
  /** The name of the export; by default, `default`. */
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

// A single executable is not Node, and cannot run anything else.
const NODE = /^node(?:js)?(?:\.exe)?$/.test(basename(process.execPath)) ? process.execPath : 'node'

/** The loader of a project that runs its TypeScript with tsx. */
function loaderOf(module: string): readonly string[] {
  try {
    return ['--import', pathToFileURL(createRequire(module).resolve('tsx')).href]
  } catch {
    return []
  }
}

// A text rather than a module, so that the same words start it from the sources, from the packages and from the packed
// command; the packer would take `import(` without a space for an import of its own.
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

// A separate thread notices that joust is gone while the function keeps the main one busy.
const SERVE = `
const { Worker } = await import ('node:worker_threads')
const end = 'process.ppid === ' + process.ppid + ' || process.kill(process.pid, "SIGKILL")'
new Worker('setInterval(() => ' + end + ', 500)', { eval: true }).unref()
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
