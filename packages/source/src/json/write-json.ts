import { isList, isRecord, type Value } from '../model/value.ts'
import { escapeUnseen } from '../text/unseen.ts'

/** What is still to be written: a value, or text; after the text that closes a collection, the collection is done. */
type Job = { readonly value: unknown; readonly margin: string } | { readonly text: string; readonly closes?: object }

/** Lines go no further to the right: with 100,000 levels the spaces alone would fill the memory. */
const WIDEST = 1000

/**
 * JSON as `JSON.stringify` writes it, and also of what that refuses: integers that are a `bigint` keep their digits, and
 * no depth is too deep. Throws only for what contains itself.
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
  /** The next one is last. */
  const jobs: Job[] = [{ value: root, margin: indent === '' ? '' : '\n' }]
  for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) {
    if ('text' in job) {
      parts.push(job.text)
      if (job.closes !== undefined) open.delete(job.closes)
      continue
    }
    const { value, margin } = job
    if (!isList(value) && !isRecord(value)) {
      parts.push(typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'null'))
      continue
    }
    if (open.has(value)) throw new TypeError('the value contains itself')
    open.add(value)
    const [start, end] = isList(value) ? ['[', ']'] : ['{', '}']
    const inside = isList(value) ? itemsOf(value) : entriesOf(value, indent === '' ? ':' : ': ')
    parts.push(start)
    jobs.push({ text: inside.length === 0 ? end : `${margin}${end}`, closes: value })
    const inner = margin.length > WIDEST ? margin : `${margin}${indent}`
    for (let index = inside.length - 1; index >= 0; index--) {
      const [label, child] = inside[index] ?? []
      jobs.push({ value: child, margin: inner }, { text: `${index > 0 ? ',' : ''}${inner}${label}` })
    }
  }
  return parts.join('')
}

type Labelled = readonly [label: string, value: Value]

function itemsOf(list: readonly Value[]): Labelled[] {
  return list.map((value) => ['', value])
}

/** Fields that are not there are not written, as by `JSON.stringify`. */
function entriesOf(record: { readonly [key: string]: Value | undefined }, colon: string): Labelled[] {
  return Object.entries(record).flatMap(([key, value]) =>
    value === undefined ? [] : [[`${JSON.stringify(key)}${colon}`, value]],
  )
}
