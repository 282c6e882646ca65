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
  type ValueRecord,
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

/** Checks a script that is there as a value. */
export function checkScript(value: Value, source?: Source): Result<Script, Diagnostic[]> {
  const wrapped = isRecord(value)
  const turns = wrapped ? own(value, 'turns') : value
  const findings: Diagnostic[] = []
  const report: Report = (path, message) => {
    const at = source === undefined ? {} : source.locate(path)
    findings.push({ severity: 'error', code: 'script', message, path: formatPath(path), ...at })
  }
  if (wrapped) checkKeys(value, ['turns'], [], report)
  if (!isList(turns))
    report(
      wrapped ? ['turns'] : [],
      `a script is a list of turns, not ${turns === undefined ? 'nothing' : kindOf(turns)}`,
    )
  else for (const [index, turn] of turns.entries()) checkTurn(turn, wrapped ? ['turns', index] : [index], report)
  // The checks above are the type.
  return findings.length === 0 ? ok(turns as Script) : err(sortByPosition(findings))
}

type Report = (path: Path, message: string) => void

function checkTurn(turn: Value, path: Path, report: Report): void {
  if (!isRecord(turn)) {
    report(path, `a turn is a mapping, not ${kindOf(turn)}`)
    return
  }
  checkKeys(turn, ['text', 'tool_calls', 'usage', 'error'], path, report)
  const error = own(turn, 'error')
  const answers = ['text', 'tool_calls', 'usage'].filter((key) => own(turn, key) !== undefined)
  if (error !== undefined && answers.length > 0)
    report([...path, 'error'], `a turn with an error has no ${answers.join(', ')}`)
  if (error === undefined && own(turn, 'text') === undefined && own(turn, 'tool_calls') === undefined) {
    report(path, 'a turn has text, tool_calls or an error')
  }
  checkType(turn, 'text', 'string', path, report)
  checkCalls(own(turn, 'tool_calls'), [...path, 'tool_calls'], report)
  checkNumbers(own(turn, 'usage'), ['input_tokens', 'output_tokens'], [...path, 'usage'], report)
  if (error !== undefined) checkError(error, [...path, 'error'], report)
}

function checkCalls(calls: Value | undefined, path: Path, report: Report): void {
  if (calls === undefined) return
  if (!isList(calls)) {
    report(path, `tool_calls is a list, not ${kindOf(calls)}`)
    return
  }
  for (const [index, call] of calls.entries()) {
    const at = [...path, index]
    if (!isRecord(call)) report(at, `a tool call is a mapping, not ${kindOf(call)}`)
    else {
      checkKeys(call, ['name', 'arguments', 'id'], at, report)
      if (typeof own(call, 'name') !== 'string') report([...at, 'name'], 'a tool call has a name')
      checkType(call, 'id', 'string', at, report)
    }
  }
}

function checkError(error: Value, path: Path, report: Report): void {
  if (!isRecord(error)) {
    report(path, `an error is a mapping, not ${kindOf(error)}`)
    return
  }
  checkKeys(error, ['message', 'status', 'retry_after'], path, report)
  if (typeof own(error, 'message') !== 'string') report([...path, 'message'], 'an error has a message')
  checkType(error, 'status', 'number', path, report)
  checkType(error, 'retry_after', 'number', path, report)
}

function checkNumbers(value: Value | undefined, keys: readonly string[], path: Path, report: Report): void {
  if (value === undefined) return
  if (!isRecord(value)) {
    report(path, `usage is a mapping, not ${kindOf(value)}`)
    return
  }
  checkKeys(value, keys, path, report)
  for (const key of keys) {
    const number = own(value, key)
    const counts = typeof number === 'number' && Number.isInteger(number) && number >= 0
    if (!counts) report([...path, key], `${key} is a count of tokens`)
  }
}

function checkType(record: ValueRecord, key: string, type: 'string' | 'number', path: Path, report: Report): void {
  const value = own(record, key)
  if (value !== undefined && typeof value !== type) report([...path, key], `${key} is a ${type}, not ${kindOf(value)}`)
}

function checkKeys(record: ValueRecord, known: readonly string[], path: Path, report: Report): void {
  for (const key of Object.keys(record)) {
    if (!known.includes(key)) report([...path, key], `unknown key ${JSON.stringify(key)}.${didYouMean(key, known)}`)
  }
}
