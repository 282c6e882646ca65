import type { Path, Span } from '@joust/source'
import type { Entry } from './entry.ts'
import { columnAt } from './exact-entries.ts'
import { languageLimits } from './limits.ts'
import { quotedEnd, unquote } from './quoted.ts'

interface Open {
  readonly path: Path
  readonly close: ']' | '}'
  /** The entry of the collection itself; the root has none. */
  readonly entry: Entry | undefined
  items: number
  key: Span | undefined
  name: string
  /** Whether the `:` of the key was read. */
  colon: boolean
  /** Whether something stands since the last comma. */
  filled: boolean
}

/**
 * The entries of a flow collection as far as it goes: one that is never closed ends with the stretch that it may fill.
 * Returns where it ends.
 */
export function scanFlow(text: string, start: number, limit: number, path: Path, add: (entry: Entry) => void): number {
  const open: Open[] = []
  let offset = start
  while (offset < limit) {
    const character = text.charAt(offset)
    if (character === '[' || character === '{') {
      if (path.length + open.length > languageLimits.depth) break
      const top = open.at(-1)
      const at = top === undefined ? path : valuePath(top)
      const entry = top === undefined ? undefined : begin(text, top, at, offset, offset + 1, 'flow')
      if (entry !== undefined) add(entry)
      open.push(opened(at, character === '[' ? ']' : '}', entry))
      offset++
    } else if (character === ']' || character === '}') {
      close(open.pop(), offset + 1)
      offset++
      if (open.length === 0) return offset
    } else if (/[\s,:#]/.test(character)) offset = punctuation(text, offset, limit, open.at(-1))
    else offset = scalar(text, offset, limit, open.at(-1), add)
  }
  for (const one of open) close(one, limit)
  return limit
}

function opened(path: Path, close: Open['close'], entry: Entry | undefined): Open {
  return { path, close, entry, items: 0, key: undefined, name: '', colon: false, filled: false }
}

function close(open: Open | undefined, end: number): void {
  if (open?.entry !== undefined) open.entry.value = { start: open.entry.value.start, end }
}

function punctuation(text: string, offset: number, limit: number, top: Open | undefined): number {
  const character = text.charAt(offset)
  if (character === '#' && /\s/.test(text.charAt(offset - 1))) {
    const end = text.indexOf('\n', offset)
    return end < 0 ? limit : Math.min(end, limit)
  }
  if (top === undefined) return offset + 1
  if (character === ',') {
    if (top.close === ']' && top.filled) top.items++
    Object.assign(top, { key: undefined, name: '', colon: false, filled: false })
  } else if (character === ':') top.colon = true
  return offset + 1
}

function scalar(text: string, offset: number, limit: number, top: Open | undefined, add: (entry: Entry) => void) {
  const end = scalarEnd(text, offset, limit)
  if (top === undefined) return end
  const name = unquote(text.slice(offset, end))
  if (top.close === '}' && !top.colon) {
    const entry = keyEntry(text, top, { start: offset, end }, name)
    Object.assign(top, { key: { start: offset, end }, name, filled: true })
    add(entry)
    return end
  }
  const path = valuePath(top)
  const last = begin(text, top, path, offset, end, 'scalar')
  add({ ...last, text: name })
  return end
}

/** A key whose value is still to come; the value is another entry of the same path, which counts. */
function keyEntry(text: string, { path }: Open, key: Span, name: string): Entry {
  const value = { start: key.end, end: key.end }
  return { path: [...path, name], start: key.start, column: columnAt(text, key.start), key, value, form: 'empty' }
}

function begin(text: string, top: Open, path: Path, start: number, end: number, form: 'flow' | 'scalar'): Entry {
  top.filled = true
  const { key } = top.close === '}' ? top : { key: undefined }
  const from = key?.start ?? start
  const entry: Entry = { path, start: from, column: columnAt(text, from), value: { start, end }, form }
  return key === undefined ? entry : { ...entry, key }
}

function valuePath({ path, close, name, items }: Open): Path {
  return [...path, close === ']' ? items : name]
}

function scalarEnd(text: string, offset: number, limit: number): number {
  const quote = text.charAt(offset)
  if (quote === '"' || quote === "'") return quotedEnd(text, offset, limit) ?? lineEndWithin(text, offset, limit)
  let end = offset
  while (end < limit && !/[,[\]{}\n]/.test(text.charAt(end))) {
    if (text.charAt(end) === ':' && /[\s,[\]{}]|^$/.test(text.charAt(end + 1))) break
    if (text.startsWith(' #', end)) break
    end++
  }
  return offset + text.slice(offset, end).trimEnd().length || end + 1
}

function lineEndWithin(text: string, offset: number, limit: number): number {
  const end = text.indexOf('\n', offset)
  return end < 0 ? limit : Math.min(end, limit)
}
