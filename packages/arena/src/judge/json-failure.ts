/** Failures reported in the fields of a JSON answer. */

import { resolveWildcardPath } from '@joust/oatf'
import { defaultLimits, isList, isRecord, own, ownText, readJson, type Value, writeJson } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import { peerError } from '../model/peer-error.ts'
import { bare, isErrorForm } from './error-form.ts'

/** True if an answer consists only of JSON about a failure: plain, in a code fence, in a list or as events. */
export function failureInJson(answer: string): boolean {
  const whole = answer.trim()
  const isFenced = whole.startsWith('```') && whole.endsWith('```')
  const text = isFenced ? whole.slice(whole.indexOf('\n') + 1, -3).trim() : whole
  const values = /^(?:data|event):/.test(text) ? eventsIn(text) : [jsonIn(text)].flat()
  const isFailure = (value: Value | undefined) => value !== undefined && failureIn(value) !== undefined
  return values.length > 0 && values.every(isFailure)
}

/** Keeps only events that report an error, if there are any. */
function eventsIn(text: string): Value[] {
  const data = text.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).trim()] : []))
  const values = data.flatMap((one) => jsonIn(one) ?? [])
  const failures = values.filter((value) => errorIn(value) !== undefined)
  return failures.length > 0 ? failures : values
}

function jsonIn(text: string): Value | undefined {
  if (!/^[[{]/.test(text)) return undefined
  const read = readJson(text, { ...defaultLimits, yamlBytes: arenaLimits.errorText * 4 })
  return read.ok ? read.value : undefined
}

/** JSON keys that contain an error: in plain APIs, in GraphQL, and in streams of the AI SDK and ADK. */
const keys = ['error', 'errors', 'errorText', 'errorMessage', 'error_message', 'errorCode', 'error_code'] as const

const types: ReadonlySet<Value> = new Set(['error', 'RUN_ERROR', 'response.failed'])

function errorIn(value: Value): string | undefined {
  if (!isRecord(value)) return undefined
  const named = keys.find((key) => isFilled(own(value, key), key))
  if (named !== undefined) return inWords(own(value, named) ?? value)
  // Claude Code sets a flag next to the error text.
  if (['is_error', 'isError'].some((mark) => own(value, mark) === true)) return inWords(own(value, 'result') ?? value)
  return types.has(own(value, 'type') ?? null) ? inWords(own(value, 'message') ?? value) : undefined
}

/** Statuses of interrupted answers, and of failed or cancelled answers, which may include an explanation. */
const broken: ReadonlySet<Value> = new Set(['error', 'timeout', 'incomplete'])
const failed: ReadonlySet<Value> = new Set(['failed', 'failure', 'cancelled', 'canceled'])

/** Keys of an answer, and of an explanation, which may come from a program or an agent. */
const answers = ['answer', 'text', 'output', 'response', 'reply', 'result', 'content']
const notes = ['message', 'reason', 'detail', 'details', 'description']

/** Phrases typical of an agent or a content policy rather than a program. */
const voices = [
  /\bI(?:['’](?:m|ve|d|ll))?\s/,
  /\b(?:can(?:['’]t|not)|won['’]t|will not|unable to) (?:help|assist|comply|do th)|\bguardrail|\bprompt injection/i,
  /\b(?:content|usage|safety) (?:polic|guideline|filter|reason)|\bviolat\w+ (?:our|the) [\w ]{0,30}(?:polic|guideline|terms)/i,
]

const placeholder = /^(?:[^\p{L}\p{N}]*|n\/a|none|error|fail(?:ed|ure))[.!]?$/iu

/** Finds the error in a message. A message that is marked as failed may still contain an answer. */
function failureIn(value: Value, texts = textsIn(value, answers)): string | undefined {
  const error = errorIn(value)
  if (error !== undefined || !isRecord(value)) return error
  const { status = null, success, ok } = value
  const isBroken = broken.has(status)
  if (!isBroken && !failed.has(status) && success !== false && ok !== false) return undefined
  const explained = textsIn(value, notes)
  const hasAnswer = [...texts, ...explained].some((text) => {
    if (placeholder.test(text.trim()) || isErrorForm(bare(text))) return false
    return voices.some((voice) => voice.test(text)) || !(isBroken || explained.includes(text))
  })
  return hasAnswer ? undefined : inWords(own(value, 'message') ?? value)
}

function textsIn(value: Value, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => ownText(value, name) ?? [])
}

/** Finds an error in a message, or in an object on the path to its answer. */
export function errorAlong(value: Value, path?: string): string | undefined {
  const texts = textsAt(value, path)
  const error = texts.some((text) => text.trim() !== '') ? failureIn(value, texts) : errorIn(value)
  if (error !== undefined || path === undefined || texts.length === 0) return error
  const steps = path.split(/(?=[.[])/)
  const ways = steps.map((_, index) => steps.slice(0, index).join('')).slice(1)
  return ways.flatMap((way) => resolveWildcardPath(way, value).flatMap((passed) => errorIn(passed) ?? []))[0]
}

/** Lists the strings at a path in an answer. */
export function textsAt(value: Value, path: string | undefined): readonly string[] {
  return path === undefined ? [] : resolveWildcardPath(path, value).filter((text) => typeof text === 'string')
}

/**
 * True if a field reports an error. Many agents always send such fields, empty unless there is an error. An empty
 * `error` object is an error.
 */
function isFilled(value: Value | undefined, key: string): boolean {
  if (isList(value) || (isRecord(value) && key === 'errors')) return Object.keys(value).length > 0
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 0
}

function inWords(value: Value): string {
  return `answered with an error: ${peerError(typeof value === 'string' ? value : writeJson(value))}`
}
