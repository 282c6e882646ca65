/** The turns of a scripted model, read from YAML or JSON. */
import {
  type Diagnostic,
  didYouMean,
  err,
  formatPath,
  isList,
  isRecord,
  kindOf,
  ok,
  own,
  type Path,
  type Result,
  readSource,
  type Source,
  sortByPosition,
  toDoubles,
  type Value,
} from '@joust/source'

/** A tool call as a script writes it. Arguments that are text go out as they are, JSON or not. */
export interface ScriptedCall {
  readonly name: string
  readonly arguments?: Value
  readonly id?: string
}

/** An answer, or a failure of the provider. */
export interface ScriptedTurn {
  readonly text?: string
  readonly tool_calls?: readonly ScriptedCall[]
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number }
  readonly error?: { readonly message: string; readonly status?: number; readonly retry_after?: number }
}

/** Turns in the order in which a model is asked. */
export type Script = readonly ScriptedTurn[]

/** Reads a script: a list of turns, or an object with `turns`. All findings at once. */
export function readScript(text: string): Result<Script, Diagnostic[]> {
  const source = readSource(text)
  if (!source.ok) return source
  return checkScript(toDoubles(source.value.value), source.value)
}

/** Checks a script that is given as a value. */
export function checkScript(value: Value, source?: Source): Result<Script, Diagnostic[]> {
  const findings: Diagnostic[] = []
  const isWrapped = isRecord(value)
  const check = isWrapped ? wrapped : turns
  check(value, [], (path, message) => {
    const at = source === undefined ? {} : source.locate(path)
    findings.push({ severity: 'error', code: 'script', message, path: formatPath(path), ...at })
  })
  if (findings.length > 0) return err(sortByPosition(findings))
  // The checks above are the type.
  return ok((isWrapped ? own(value, 'turns') : value) as Script)
}

type Check = (value: Value, path: Path, report: (path: Path, message: string) => void) => void

const typed = (type: 'string' | 'number'): Check => {
  return (value, path, report) => {
    if (typeof value !== type) report(path, `${path.at(-1)} must be a ${type}, not ${kindOf(value)}`)
  }
}

const count: Check = (value, path, report) => {
  const counts = typeof value === 'number' && Number.isInteger(value) && value >= 0
  if (!counts) report(path, `${path.at(-1)} must be a count of tokens`)
}

const list = (what: string, item: Check): Check => {
  return (value, path, report) => {
    if (!isList(value)) report(path, `${what}, not ${kindOf(value)}`)
    else for (const [index, one] of value.entries()) item(one, [...path, index], report)
  }
}

/** Accepts these fields and no others; `missing` has the message for each field that is required. */
const mapping = (what: string, fields: Record<string, Check>, missing: Record<string, string> = {}): Check => {
  const known = Object.keys(fields)
  return (value, path, report) => {
    if (!isRecord(value)) return report(path, `${what} must be a mapping, not ${kindOf(value)}`)
    for (const key of Object.keys(value)) {
      if (!known.includes(key)) report([...path, key], `unknown key ${JSON.stringify(key)}.${didYouMean(key, known)}`)
    }
    for (const [key, check] of Object.entries(fields)) {
      const field = own(value, key)
      const fault = missing[key]
      if (field !== undefined) check(field, [...path, key], report)
      else if (fault !== undefined) report([...path, key], fault)
    }
  }
}

const call = mapping(
  'a tool call',
  { name: typed('string'), arguments: () => {}, id: typed('string') },
  { name: 'a tool call needs a name' },
)
const usage = mapping(
  'usage',
  { input_tokens: count, output_tokens: count },
  {
    input_tokens: 'input_tokens is missing: a count of tokens',
    output_tokens: 'output_tokens is missing: a count of tokens',
  },
)
const error = mapping(
  'an error',
  { message: typed('string'), status: typed('number'), retry_after: typed('number') },
  { message: 'an error needs a message' },
)
const fields = { text: typed('string'), tool_calls: list('tool_calls must be a list', call), usage, error }

const turn: Check = (value, path, report) => {
  mapping('a turn', fields)(value, path, report)
  if (!isRecord(value)) return
  const [first, ...answers] = ['error', 'text', 'tool_calls', 'usage'].filter((key) => own(value, key) !== undefined)
  if (first === 'error' && answers.length > 0)
    report([...path, 'error'], `a turn with an error cannot have ${answers.join(', ')}`)
  if (first === undefined || first === 'usage') report(path, 'a turn needs text, tool_calls or an error')
}

const turns = list('a script must be a list of turns', turn)
const wrapped = mapping('a script', { turns }, { turns: 'a script needs a list of turns' })
