import { isList, isRecord, type Value } from '../model/value.ts'
import { escapeUnseen } from '../text/printable.ts'

/** What is still to be written: a value, or text; after the text that closes a collection, the collection is done. */
type Job = { readonly value: unknown; readonly margin: string } | { readonly text: string; readonly closes?: object }
type Collection = readonly Value[] | { readonly [key: string]: Value | undefined }

/** The deepest indentation: with 100,000 levels the spaces alone would fill the memory. */
const WIDEST = 1000

/**
 * JSON as `JSON.stringify` writes it, and also of what that refuses: integers that are a `bigint` keep their digits,
 * and no depth is too deep. Throws only for what contains itself.
 */
export function writeJson(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? 'null'
  } catch {
    return writeSlowly(value, ' '.repeat(indent))
  }
}

/** Indented JSON in which characters that steer a terminal are escaped. */
export function jsonText(value: unknown): string {
  return `${escapeUnseen(writeJson(value, 2), true)}\n`
}

function writeSlowly(root: unknown, indent: string): string {
  const parts: string[] = []
  const open = new Set<object>()
  /** A stack: the last one is next. */
  const jobs: Job[] = [{ value: root, margin: indent === '' ? '' : '\n' }]
  for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) {
    if ('text' in job) {
      parts.push(job.text)
      if (job.closes !== undefined) open.delete(job.closes)
      continue
    }
    const { value, margin } = job
    if (isList(value) || isRecord(value)) {
      if (open.has(value)) throw new TypeError('the value contains itself')
      open.add(value)
      for (const part of jobsOf(value, margin, indent)) jobs.push(part)
    } else parts.push(scalarText(value))
  }
  return parts.join('')
}

function scalarText(value: unknown): string {
  return typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'null')
}

/** A collection and its parts, the last first. */
function* jobsOf(value: Collection, margin: string, indent: string): Generator<Job> {
  const [start, end] = isList(value) ? ['[', ']'] : ['{', '}']
  const inside = partsOf(value, indent === '' ? ':' : ': ')
  yield { text: inside.length === 0 ? end : `${margin}${end}`, closes: value }
  const inner = margin.length > WIDEST ? margin : `${margin}${indent}`
  for (let index = inside.length - 1; index >= 0; index--) {
    const [label, child] = inside[index] ?? []
    yield { value: child, margin: inner }
    yield { text: `${index > 0 ? ',' : ''}${inner}${label}` }
  }
  yield { text: start }
}

/** The parts with what comes before each. Fields that are not there are not written, as by `JSON.stringify`. */
function partsOf(value: Collection, colon: string): (readonly [string, Value | undefined])[] {
  if (isList(value)) return value.map((item) => ['', item])
  const there = Object.entries(value).filter(([, field]) => field !== undefined)
  return there.map(([key, field]) => [`${JSON.stringify(key)}${colon}`, field])
}
