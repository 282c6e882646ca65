/** `serve` in a target: the processes of an agent that Joust starts. */
import { resolve } from 'node:path'
import {
  type Diagnostic,
  didYouMean,
  isList,
  isRecord,
  mapScalars,
  own,
  type Path,
  type Source,
  shapes,
  type Value,
  type ValueRecord,
  withoutVariables,
} from '@joust/source'
import {
  placeholdersIn,
  quoteIn,
  type Restart,
  type ServeSetting,
  servePlaceholders,
  splitCommand,
} from '@joust/targets'
import { duration } from '../options/values.ts'

const { boolean, count, enumeration, map, object, optional, required, some, text } = shapes

/** Restart settings, from the least to the most frequent. */
const restarts = ['never', 'attack', 'trial'] as const satisfies readonly Restart[]

const processShape = object(
  {
    command: required(some(text), 'the command, as a string or a list of words; it is not run by a shell'),
    url: optional(text, 'wait until this URL responds with a status below 500'),
    port: optional(count(1), 'wait until this port on this machine accepts connections'),
    line: optional(text, 'wait until the output contains this text'),
    env: optional(
      map(text),
      'environment variables; {gateway_url}, {mcp_config}, {a2a_config}, {model_url} and {ACTOR.url} are filled in, as in the command',
    ),
    cwd: optional(text, 'the working folder, relative to this file'),
    timeout: optional(text, 'timeout for the start; 60s by default'),
    reuse: optional(boolean, 'use an agent that is already listening'),
    restart: optional(
      enumeration(restarts),
      'when to restart the processes: never, for each attack or for each trial; by default never, or trial for an agent that lists its tools only once',
    ),
  },
  'none',
  { name: 'serve', about: 'A process that Joust starts before the attacks and ends after them.' },
)

export const serveField = optional(some(processShape), 'the command that starts the agent, or a list of them')

export interface Serve {
  readonly processes: readonly ServeSetting[]
  /** The most frequent restart setting of all processes. */
  readonly restart?: Restart
}

export type Fill = (text: string, quote?: typeof quoteIn) => string

/** Reads a value of `serve` that has been checked; relative folders are below `home`. */
export async function readServe(value: Value, home: string, fill: Fill): Promise<Serve> {
  const processes: ServeSetting[] = []
  let restart: Restart | undefined
  for (const one of processesIn(value)) {
    const filled = mapScalars(one, (scalar) => (typeof scalar === 'string' ? fill(scalar) : scalar))
    // The shape of the file has been checked.
    const {
      command,
      timeout,
      cwd,
      restart: own,
      ...rest
    } = filled as unknown as Omit<ServeSetting, 'command'> & Written
    const limit = timeout === undefined ? undefined : await duration.read([timeout], 'timeout')
    processes.push({
      ...rest,
      command: wordsOf(typeof one.command === 'string' ? fill(one.command, quoteIn) : command),
      cwd: resolve(home, cwd ?? ''),
      ...(limit?.ok && { timeoutMs: limit.value }),
    })
    if (restarts.indexOf(own ?? 'never') >= restarts.indexOf(restart ?? 'never')) restart = own ?? restart
  }
  return { processes, ...(restart && { restart }) }
}

interface Written {
  readonly command: string | readonly string[]
  readonly timeout?: string
  readonly cwd?: string
  readonly restart?: Restart
}

/** Returns the errors in the processes of a target that has a valid shape. */
export async function serveFaults(
  source: Source,
  base: Path,
  target: ValueRecord,
  fault: (source: Source, path: Path, message: string) => Diagnostic,
): Promise<Diagnostic[]> {
  const value = own(target, 'serve')
  const list = processesIn(value ?? null)
  const isRestarted = list.some((one) => own(one, 'restart') === 'attack' || own(one, 'restart') === 'trial')
  const findings: Diagnostic[] = []
  if (isList(value) && value.length === 0)
    findings.push(fault(source, [...base, 'serve'], 'the list is empty; remove serve or add a command'))
  for (const [index, one] of list.entries()) {
    const path = [...base, 'serve', ...(isList(value) ? [index] : [])]
    const at = (key: readonly (string | number)[], message: string | undefined) => {
      if (message !== undefined) findings.push(fault(source, [...path, ...key], message))
    }
    const { command = '', env, url, port, timeout } = one
    const split = typeof command === 'string' ? splitCommand(command) : undefined
    at(['command'], split?.ok === false ? split.error : commandFault(wordsOf(command)))
    at(['command'], placeholderFault(wordsOf(command), isRestarted))
    for (const [name, text] of Object.entries(isRecord(env) ? env : {}))
      at(['env', name], placeholderFault([String(text)], isRestarted))
    if (typeof url === 'string' && !/^(?:https?:\/\/|\$\{)/.test(url)) at(['url'], 'expected http://… or https://…')
    if (typeof port === 'number' && port > 65_535) at(['port'], `${port} is not a port: the highest is 65535`)
    const limit = timeout === undefined ? undefined : await duration.read([String(timeout)], 'timeout')
    if (limit?.ok === false) at(['timeout'], limit.error)
    if (limit?.ok && limit.value === 0) at(['timeout'], 'the timeout must be longer than 0, for example 60s')
  }
  return findings
}

function commandFault([program = '']: readonly string[]): string | undefined {
  if (program.trim() === '') return 'the command is empty'
  const variable = /^(\w+)=/.exec(program)?.[1]
  return variable && `the command is not run by a shell, so it cannot begin with ${variable}=…; set ${variable} in env`
}

function placeholderFault(texts: readonly string[], isRestarted: boolean): string | undefined {
  const available: readonly string[] = servePlaceholders
  for (const name of placeholdersIn(texts.map(withoutVariables))) {
    if (available.includes(name) || (isRestarted && name.endsWith('.url'))) continue
    if (name.endsWith('.url'))
      return `{${name}} needs restart: attack or trial, because each attack has its own servers; {gateway_url}/mcp/1 is the first server of every attack`
    const list = [...available, 'ACTOR.url'].map((one) => `{${one}}`).join(', ')
    return `unknown placeholder {${name}}; available: ${list}; for a literal {${name}}, write {{${name}}}.${didYouMean(name, available)}`
  }
  return undefined
}

function processesIn(value: Value): readonly ValueRecord[] {
  return (isList(value) ? value : [value]).filter(isRecord)
}

function wordsOf(command: Value | readonly string[]): readonly string[] {
  if (typeof command !== 'string') return isList(command) ? command.map(String) : []
  const words = splitCommand(command)
  return words.ok ? words.value : []
}
