import { isList, isRecord, type Value } from '../model/value.ts'
import { escapeUnseen } from '../text/printable.ts'

/** A pending piece of output: a value, or text. `closes` is the collection that the text ends. */
type Job = { readonly value: unknown; readonly margin: string } | { readonly text: string; readonly closes?: object }
type Collection = readonly Value[] | { readonly [key: string]: Value | undefined }

/** Maximum indentation in spaces. For 100,000 levels, the indentation alone would fill the memory. */
const WIDEST = 1000

/**
 * Writes JSON like `JSON.stringify`, but also values that it rejects: a `bigint` is written as an integer, and depth is
 * not limited. Throws only for circular references.
 */
export function writeJson(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? 'null'
  } catch {
    return writeSlowly(value, ' '.repeat(indent))
  }
}

/** Writes indented JSON with terminal control characters escaped. */
export function jsonText(value: unknown): string {
  return `${escapeUnseen(writeJson(value, 2), true)}\n`
}

function writeSlowly(root: unknown, indent: string): string {
  const parts: string[] = []
  const open = new Set<object>()
  const jobs: Job[] = [{ value: root, margin: indent === '' ? '' : '\n' }]
  for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) {
    if ('text' in job) {
      parts.push(job.text)
      if (job.closes !== undefined) open.delete(job.closes)
      continue
    }
    const { value, margin } = job
    if (isList(value) || isRecord(value)) {
      if (open.has(value)) throw new TypeError('circular reference')
      open.add(value)
      for (const part of jobsOf(value, margin, indent)) jobs.push(part)
    } else parts.push(typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'null'))
  }
  return parts.join('')
}

/** Yields the brackets and elements of a collection, in reverse order. */
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

/** Returns the elements of a collection, each with its prefix. Undefined fields are skipped, as in `JSON.stringify`. */
function partsOf(value: Collection, colon: string): (readonly [string, Value | undefined])[] {
  if (isList(value)) return value.map((item) => ['', item])
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return fields.map(([key, field]) => [`${JSON.stringify(key)}${colon}`, field])
}
