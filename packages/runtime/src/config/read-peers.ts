/** The peers of `bindings`: MCP servers and remote agents, by command or by address. */

import { fillVariables, isList, type Path, type Value, type ValueRecord, type Variables } from '@joust/source'
import type { CommandBinding, UrlBinding } from '../model/bindings.ts'
import { runtimeLimits } from '../model/limits.ts'
import type { Findings } from './findings.ts'
import { addressShape, commandShape, namesIn } from './shape.ts'

/** What reading needs besides the text. */
export interface Surroundings {
  readonly findings: Findings
  readonly environment: Variables
  /** A path of the configuration as an absolute one. */
  resolve(path: string): string
  /** True for an absolute path that must not be read. */
  isOutside(path: string): boolean
}

/** A file that is read, by its absolute path; one outside the folder of the configuration may be refused, unread. */
export function readFilePath(file: string, path: Path, around: Surroundings): string | undefined {
  const absolute = around.resolve(file)
  if (!around.isOutside(absolute)) return absolute
  around.findings.report('config_invalid', path, 'this is outside the folder that came with the configuration')
  return undefined
}

/** A server: by command or by address. */
export function readServer(value: Value, path: Path, around: Surroundings): CommandBinding | UrlBinding | undefined {
  const { findings } = around
  const record = findings.mapping(value, path)
  if (record === undefined) return undefined
  const byCommand = Object.hasOwn(record, 'command')
  if (byCommand === Object.hasOwn(record, 'url')) {
    const message = `a server has either "command" or "url"; this one has ${byCommand ? 'both' : 'neither'}`
    findings.report('config_invalid', path, message, 'key')
    findings.fields(record, path, [...new Set([...namesIn(commandShape), ...namesIn(addressShape)])])
    return undefined
  }
  return byCommand ? readCommand(record, path, around) : readAddress(record, path, around)
}

/** A remote agent: by address. */
export function readRemoteAgent(value: Value, path: Path, around: Surroundings): UrlBinding | undefined {
  const record = around.findings.mapping(value, path)
  if (record === undefined) return undefined
  if (!Object.hasOwn(record, 'url')) {
    around.findings.report('config_invalid', path, 'a remote agent needs a "url"', 'key')
    around.findings.fields(record, path, namesIn(addressShape))
    return undefined
  }
  return readAddress(record, path, around)
}

function readCommand(record: ValueRecord, path: Path, around: Surroundings): CommandBinding | undefined {
  around.findings.fields(record, path, namesIn(commandShape))
  const texts = new Texts(around)
  const command = texts.read(record.command ?? null, [...path, 'command'])
  const args = texts.list(record.args, [...path, 'args'])
  const env = texts.map(record.env, [...path, 'env'])
  // By default a server runs where the configuration is, so that relative arguments mean the same everywhere.
  const cwd = record.cwd === undefined ? '.' : texts.read(record.cwd, [...path, 'cwd'])
  const timing = readTimeout(record, path, around.findings)
  const { use_home: useHome = false } = record
  if (typeof useHome !== 'boolean')
    around.findings.report('config_invalid', [...path, 'use_home'], 'expected true or false')
  if (command === undefined || args === undefined || env === undefined || cwd === undefined) return undefined
  return {
    command: /^\.\.?[\\/]/.test(command) ? around.resolve(command) : command,
    args,
    env,
    cwd: around.resolve(cwd),
    ...(useHome === true && { useHome }),
    ...timing,
    secrets: texts.secrets,
  }
}

function readAddress(record: ValueRecord, path: Path, around: Surroundings): UrlBinding | undefined {
  around.findings.fields(record, path, namesIn(addressShape))
  const texts = new Texts(around)
  const url = texts.read(record.url ?? null, [...path, 'url'])
  const headers = texts.map(record.headers, [...path, 'headers'])
  const timing = readTimeout(record, path, around.findings)
  if (url === undefined || headers === undefined) return undefined
  const fault = urlFault(url)
  if (fault !== undefined) around.findings.report('config_invalid', [...path, 'url'], fault)
  for (const [name, value] of Object.entries(headers)) {
    if (isHeader(name, value)) continue
    around.findings.report('config_invalid', [...path, 'headers', name], 'this is not a valid HTTP header', 'key')
  }
  return { url, headers, ...timing, secrets: texts.secrets }
}

function readTimeout(record: ValueRecord, path: Path, findings: Findings): { readonly timeoutMs?: number } {
  const { timeout_seconds: seconds } = record
  if (seconds === undefined) return {}
  if (typeof seconds === 'number' && seconds > 0 && seconds <= runtimeLimits.bindingSeconds)
    return { timeoutMs: seconds * 1000 }
  const message = `expected a number of seconds above 0, at most ${runtimeLimits.bindingSeconds}`
  findings.report('config_invalid', [...path, 'timeout_seconds'], message)
  return {}
}

/** Why a text is not a usable address; `secrets` is the field for what an address cannot carry. */
export function urlFault(url: string, secrets = 'headers'): string | undefined {
  if (!URL.canParse(url)) return 'this is not an address; write http://… or https://…'
  const { protocol, username, password } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return `${protocol} is not supported; write http://… or https://…`
  return username === '' && password === ''
    ? undefined
    : `an address cannot carry a name and password; use "${secrets}"`
}

/** Whether HTTP can carry a header. The platform's own complaint would show the value. */
export function isHeader(name: string, value: string): boolean {
  try {
    new Headers([[name, value]])
    return true
  } catch {
    return false
  }
}

/** Reads texts with variables, and remembers what was filled in. */
export class Texts {
  readonly secrets: string[] = []
  readonly #around: Surroundings

  constructor(around: Surroundings) {
    this.#around = around
  }

  read(value: Value, path: Path): string | undefined {
    const { findings, environment } = this.#around
    const template = findings.text(value, path)
    if (template === undefined) return undefined
    const filled = fillVariables(template, environment)
    if (filled.ok) {
      this.secrets.push(...filled.value.secrets)
      return filled.value.text
    }
    for (const { code, message } of filled.error)
      findings.report(code === 'missing_variable' ? code : 'config_invalid', path, message)
    return undefined
  }

  list(value: Value | undefined, path: Path): readonly string[] | undefined {
    if (value === undefined) return []
    if (!isList(value)) {
      this.#around.findings.report('config_invalid', path, 'expected a list of strings')
      return undefined
    }
    const read = value.map((item, index) => this.read(item, [...path, index]))
    return read.every((text) => text !== undefined) ? read : undefined
  }

  map(value: Value | undefined, path: Path): Readonly<Record<string, string>> | undefined {
    if (value === undefined) return {}
    const record = this.#around.findings.mapping(value, path)
    if (record === undefined) return undefined
    const read = Object.entries(record).map(([name, item]) => [name, this.read(item, [...path, name])] as const)
    const whole = read.flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]))
    return whole.length === read.length ? Object.fromEntries(whole) : undefined
  }
}
