/** A target that is a function of a JavaScript or TypeScript module, called in a separate process. */

import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Target } from '@joust/arena'
import { arenaLimits, lackingOf } from '@joust/arena'
import { readValue, startChild } from '@joust/arena/wire'
import { didYouMean, err, isList, isRecord, messageOf, ok, own, type Result, type Value } from '@joust/source'
import { chatAbilities } from './chat/chat.ts'
import type { RequestPart } from './chat/request.ts'
import { NODE } from './command/bridge.ts'
import { followCommand } from './command/process.ts'
import { type CommandTargetOptions, startCommand } from './command.ts'
import { failureText } from './failure-text.ts'
import { behindGateway } from './gateway/gateway-run.ts'
import { targetLimits } from './limits.ts'

/** The argument of an agent function. */
export interface FunctionTurn {
  /** The message of the user. */
  readonly prompt: string
  /** The whole request of the client actor. */
  readonly input: Value
  /** Counts from 1 in each conversation. */
  readonly number: number
  /** The id of the conversation. */
  readonly conversation: string
  /** The MCP servers that the agent should use, by name. */
  readonly mcpServers: Readonly<Record<string, { readonly type: 'http'; readonly url: string }>>
  /** The A2A agents that the agent may delegate to, by name. */
  readonly agents: Readonly<Record<string, { readonly url: string }>>
  /** The address of the model proxy, if the target has one. */
  readonly modelUrl?: string
  /** Fires when the answer is no longer needed. */
  readonly signal: AbortSignal
}

/** An agent as a function that returns its answer. */
export type AgentFunction = (turn: FunctionTurn) => string | Promise<string>

/** Options of `functionTarget`. */
export interface FunctionTargetOptions
  extends FunctionLocation,
    Pick<CommandTargetOptions, 'prompt' | 'paste' | 'timeoutMs' | 'cwd' | 'environment' | 'openModel' | 'gateway'> {
  /** The name of the target in results. */
  readonly name: string
  /**
   * Parts of a request, besides the prompt, that the function reads.
   * @default []
   */
  readonly carries?: readonly RequestPart[]
}

/** Creates a target from a function. An exception is a failure of the agent, never an answer. */
export function functionTarget(options: FunctionTargetOptions): Target {
  const { name, paste = [], carries = [], environment = process.env } = options
  const abilities = {
    ...chatAbilities,
    who: 'a function',
    servers: ['mcp_server', 'a2a_server'],
    carries: ['turns' as const, ...carries, ...paste],
  }
  const command = hostWords(options, 'serve')
  const agent = { name, about: '', command, lines: true, answer: 'answer' }
  // The function is the user's own code, so it gets the user's home and environment.
  const userAccess = { useHome: true, passEnv: Object.keys(environment) }
  const target: Target = {
    name,
    preflight: 'tool_call',
    lacks: (needs) => lackingOf(needs, abilities),
    start: (arena) =>
      startCommand(name, agent, { ...options, ...userAccess, command }, arena, {
        who: name,
        placeOf: () => `given to ${name}`,
      }),
  }
  return behindGateway(target, options.gateway)
}

/** Checks that a module exports the function, by loading it in a separate process. */
export async function checkFunction(
  location: FunctionLocation & Pick<FunctionTargetOptions, 'cwd' | 'environment'>,
): Promise<Result<void, string>> {
  const { environment = process.env, cwd, export: name = 'default' } = location
  const [command = '', ...args] = hostWords(location, 'list')
  const printed = await runToEnd({ command, args, env: environment, ...(cwd !== undefined && { cwd }) })
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

interface FunctionLocation {
  /** The absolute path of the module. */
  readonly module: string
  /**
   * The name of the export.
   * @default 'default'
   */
  readonly export?: string
}

/** Returns the command that serves a function, or lists the functions of a module. */
export function hostWords(
  { module, export: name = 'default' }: FunctionLocation,
  task: 'serve' | 'list',
): readonly string[] {
  const program = ['--input-type=module', '--eval', `${COMMON}${task === 'serve' ? SERVE : LIST}`]
  return [NODE, ...loaderOf(module), ...program, '--', pathToFileURL(module).href, name]
}

/** The flags for tsx, if the project has it. */
function loaderOf(module: string): readonly string[] {
  try {
    return ['--import', pathToFileURL(createRequire(module).resolve('tsx')).href]
  } catch {
    return []
  }
}

// A string instead of a module, so that it works from sources, packages and the packed command alike. The bundler would
// rewrite `import(` without a space.
const COMMON = `
const [, url, name] = process.argv
const say = process.stdout.write.bind(process.stdout)
process.stdout.write = process.stderr.write.bind(process.stderr)
const own = (frame) => !/node:|\\[eval|node_modules/.test(frame)
const placeOf = (frame) => frame.replace(/^.*?\\(?((?:file:|\\/|[A-Z]:)[^()]*)\\)?$/, '$1').replace(/^file:\\/\\//, '').replace(process.cwd() + '/', '')
const describe = (thrown) => {
  if (!(thrown instanceof Error)) return String(thrown)
  const [first, ...more] = String(thrown).split('\\n')
  const frames = String(thrown.stack).split('\\n').filter((line) => /^ +at /.test(line))
  const frame = frames.find(own)
  const head = frame === undefined ? first : first + ' (' + placeOf(frame) + ')'
  return [head, ...more, ...frames.filter((line) => !/node:|\\[eval/.test(line))].join('\\n')
}
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
const exported = await import (url)
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
  try {
    const answer = await exported[name]({ prompt, input, number, conversation, mcpServers, agents, modelUrl, signal: over.signal })
    if (typeof answer === 'string') return { answer, turn: number }
    const got = answer === null ? 'null' : typeof answer
    return { error: 'expected a string as answer, got ' + got }
  } catch (thrown) {
    return { error: describe(thrown) }
  }
}
lines.on('line', async (line) => void say(JSON.stringify(await answerTo(line)) + '\\n'))
`
