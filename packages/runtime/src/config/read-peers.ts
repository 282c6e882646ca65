/** Reads MCP servers and remote agents from `bindings`, by command or URL. */
import { fillVariables, isList, type Path, type Value, type ValueRecord, type Variables } from '@joust/source'
import type { CommandBinding, UrlBinding } from '../model/bindings.ts'
import { runtimeLimits } from '../model/limits.ts'
import type { Findings } from './findings.ts'
import { addressShape, commandShape, namesIn } from './shape.ts'

export interface ReadContext {
  readonly findings: Findings
  readonly environment: Variables
  /** Resolves a path relative to the configuration file. */
  resolve(path: string): string
  /** True for an absolute path outside the allowed folder. */
  isOutside(path: string): boolean
}

/** Returns the absolute path of a file. Reports paths outside the allowed folder. */
export function readFilePath(file: string, path: Path, context: ReadContext): string | undefined {
  const absolute = context.resolve(file)
  if (!context.isOutside(absolute)) return absolute
  context.findings.report('config_invalid', path, 'the path is outside the allowed folder')
  return undefined
}

export function readServer(value: Value, path: Path, context: ReadContext): CommandBinding | UrlBinding | undefined {
  const { findings } = context
  const record = findings.mapping(value, path)
  if (record === undefined) return undefined
  const byCommand = Object.hasOwn(record, 'command')
  if (byCommand === Object.hasOwn(record, 'url')) {
    const message = `expected one of "command" and "url", got ${byCommand ? 'both' : 'neither'}`
    findings.report('config_invalid', path, message, 'key')
    findings.fields(record, path, [...new Set([...namesIn(commandShape), ...namesIn(addressShape)])])
    return undefined
  }
  return byCommand ? readCommand(record, path, context) : readAddress(record, path, context)
}

export function readRemoteAgent(value: Value, path: Path, context: ReadContext): UrlBinding | undefined {
  const record = context.findings.mapping(value, path)
  if (record === undefined) return undefined
  if (!Object.hasOwn(record, 'url')) {
    context.findings.report('config_invalid', path, 'missing required field "url"', 'key')
    context.findings.fields(record, path, namesIn(addressShape))
    return undefined
  }
  return readAddress(record, path, context)
}

function readCommand(record: ValueRecord, path: Path, context: ReadContext): CommandBinding | undefined {
  context.findings.fields(record, path, namesIn(commandShape))
  const texts = new Texts(context)
  const command = texts.read(record.command ?? null, [...path, 'command'])
  const args = texts.list(record.args, [...path, 'args'])
  const env = texts.map(record.env, [...path, 'env'])
  // Defaults to the folder of the configuration, so that relative arguments do not depend on the current directory.
  const cwd = record.cwd === undefined ? '.' : texts.read(record.cwd, [...path, 'cwd'])
  const timing = readTimeout(record, path, context.findings)
  const { use_home: useHome = false } = record
  if (typeof useHome !== 'boolean')
    context.findings.report('config_invalid', [...path, 'use_home'], 'expected true or false')
  if (command === undefined || args === undefined || env === undefined || cwd === undefined) return undefined
  const program = /^\.\.?[\\/]/.test(command) ? context.resolve(command) : command
  const folder = context.resolve(cwd)
  const home = useHome === true && { useHome }
  return { command: program, args, env, cwd: folder, ...home, ...timing, secrets: texts.secrets }
}

/** Reads a peer at a URL; `others` lists additional allowed fields. */
export function readAddress(
  record: ValueRecord,
  path: Path,
  context: ReadContext,
  others: readonly string[] = [],
): UrlBinding | undefined {
  context.findings.fields(record, path, [...namesIn(addressShape), ...others])
  const texts = new Texts(context)
  const url = texts.read(record.url ?? null, [...path, 'url'])
  const headers = texts.map(record.headers, [...path, 'headers'])
  const timing = readTimeout(record, path, context.findings)
  if (url === undefined || headers === undefined) return undefined
  const problem = urlProblem(url)
  if (problem !== undefined) context.findings.report('config_invalid', [...path, 'url'], problem)
  for (const [name, value] of Object.entries(headers)) {
    if (isHeader(name, value)) continue
    context.findings.report('config_invalid', [...path, 'headers', name], 'invalid HTTP header', 'key')
  }
  return { url, headers, ...timing, secrets: texts.secrets }
}

function readTimeout(record: ValueRecord, path: Path, findings: Findings): { readonly timeoutMs?: number } {
  const timeoutMs = readSeconds(record, path, 'timeout_seconds', findings)
  return timeoutMs === undefined ? {} : { timeoutMs }
}

/** Reads seconds and returns milliseconds. */
export function readSeconds(record: ValueRecord, path: Path, name: string, findings: Findings): number | undefined {
  const seconds = record[name]
  if (seconds === undefined) return undefined
  if (typeof seconds === 'number' && seconds > 0 && seconds <= runtimeLimits.bindingSeconds) return seconds * 1000
  const message = `expected a number of seconds greater than 0 and at most ${runtimeLimits.bindingSeconds}`
  findings.report('config_invalid', [...path, name], message)
  return undefined
}

/** Describes the problem with a URL; `secrets` is the field that should contain credentials. */
export function urlProblem(url: string, secrets = 'headers'): string | undefined {
  if (!URL.canParse(url)) return 'invalid URL, expected http://… or https://…'
  const { protocol, username, password } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:')
    return `unsupported protocol ${protocol}, expected http://… or https://…`
  return username === '' && password === '' ? undefined : `credentials in the URL are not supported; use "${secrets}"`
}

/** Checks a header. The platform's own error would reveal the header's value. */
export function isHeader(name: string, value: string): boolean {
  try {
    new Headers([[name, value]])
    return true
  } catch {
    return false
  }
}

/** A reader of strings that substitutes variables and collects the substituted values as secrets. */
export class Texts {
  readonly secrets: string[] = []
  readonly #context: ReadContext

  constructor(context: ReadContext) {
    this.#context = context
  }

  read(value: Value, path: Path): string | undefined {
    const { findings, environment } = this.#context
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
      this.#context.findings.report('config_invalid', path, 'expected a list of strings')
      return undefined
    }
    const read = value.map((item, index) => this.read(item, [...path, index]))
    return read.every((text) => text !== undefined) ? read : undefined
  }

  map(value: Value | undefined, path: Path): Readonly<Record<string, string>> | undefined {
    if (value === undefined) return {}
    const record = this.#context.findings.mapping(value, path)
    if (record === undefined) return undefined
    const read = Object.entries(record).map(([name, item]) => [name, this.read(item, [...path, name])] as const)
    const whole = read.flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]))
    return whole.length === read.length ? Object.fromEntries(whole) : undefined
  }
}
