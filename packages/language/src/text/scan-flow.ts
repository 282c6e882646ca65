import { lineEnd, type Path, type Span } from '@joust/source'
import type { Entry } from './entry.ts'
import { languageLimits } from './limits.ts'

interface Open {
  readonly path: Path
  readonly close: ']' | '}'
  /** The collection's entry; undefined for the root. */
  readonly entry: Entry | undefined
  items: number
  key: Span | undefined
  name: string
  /** True after the key's `:`. */
  colon: boolean
  /** True if there is text after the last comma. */
  filled: boolean
  /** The scalar since the last comma. A plain scalar may continue on the next line. */
  scalar: Entry | undefined
}

/** Adds the entries of a flow collection and returns its end offset. An unclosed collection ends at `limit`. */
export function scanFlow(text: string, start: number, limit: number, path: Path, add: (entry: Entry) => void): number {
  const open: Open[] = []
  let offset = start
  while (offset < limit) {
    const character = text.charAt(offset)
    if (character === '[' || character === '{') {
      if (path.length + open.length > languageLimits.depth) break
      const top = open.at(-1)
      const at = top === undefined ? path : valuePath(top)
      const entry = top === undefined ? undefined : begin(top, at, { start: offset, end: offset + 1 }, 'flow')
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
  for (const collection of open) close(collection, limit)
  return limit
}

function opened(path: Path, close: Open['close'], entry: Entry | undefined): Open {
  return { path, close, entry, items: 0, key: undefined, name: '', colon: false, filled: false, scalar: undefined }
}

function close(open: Open | undefined, end: number): void {
  if (open?.entry !== undefined) open.entry.value = { start: open.entry.value.start, end }
}

function punctuation(text: string, offset: number, limit: number, top: Open | undefined): number {
  const character = text.charAt(offset)
  if (character === '#' && /\s/.test(text.charAt(offset - 1))) return Math.min(lineEnd(text, offset), limit)
  if (top === undefined) return offset + 1
  if (character === ',') {
    if (top.close === ']' && top.filled) top.items++
    Object.assign(top, { key: undefined, name: '', colon: false, filled: false, scalar: undefined })
  } else if (character === ':') top.colon = true
  return offset + 1
}

function scalar(text: string, start: number, limit: number, top: Open | undefined, add: (entry: Entry) => void) {
  const end = scalarEnd(text, start, limit)
  if (top === undefined) return end
  const name = unquote(text.slice(start, end))
  if (top.close === '}' && !top.colon) {
    Object.assign(top, { key: { start, end }, name, filled: true })
    // A later entry with the same path adds the value and replaces this one.
    add({ path: [...top.path, name], start, key: { start, end }, value: { start: end, end }, form: 'empty' })
  } else if (top.scalar === undefined) {
    top.scalar = { ...begin(top, valuePath(top), { start, end }, 'scalar'), text: name }
    add(top.scalar)
  } else {
    top.scalar.text = `${top.scalar.text ?? ''} ${name}`
    top.scalar.value = { start: top.scalar.value.start, end }
  }
  return end
}

function begin(top: Open, path: Path, value: Span, form: 'flow' | 'scalar'): Entry {
  top.filled = true
  const { key } = top.close === '}' ? top : { key: undefined }
  return { path, start: key?.start ?? value.start, ...(key === undefined ? {} : { key }), value, form }
}

function valuePath({ path, close, name, items }: Open): Path {
  return [...path, close === ']' ? items : name]
}

function scalarEnd(text: string, offset: number, limit: number): number {
  const quote = text.charAt(offset)
  if (quote === '"' || quote === "'") return quotedEnd(text, offset, limit) ?? Math.min(lineEnd(text, offset), limit)
  let end = offset
  while (end < limit && !/[,[\]{}\n]/.test(text.charAt(end))) {
    if (text.charAt(end) === ':' && /[\s,[\]{}]|^$/.test(text.charAt(end + 1))) break
    if (text.startsWith(' #', end)) break
    end++
  }
  return offset + text.slice(offset, end).trimEnd().length || end + 1
}

/** Returns the end of a quoted string, after the closing quote; undefined if there is none before the limit. */
export function quotedEnd(text: string, start: number, limit: number): number | undefined {
  const quote = text.charAt(start)
  for (let offset = start + 1; offset < limit; offset++) {
    const character = text.charAt(offset)
    if (quote === '"' && character === '\\') offset++
    else if (character === quote) {
      if (quote !== "'" || text.charAt(offset + 1) !== "'") return offset + 1
      offset++
    }
  }
  return undefined
}

/** Returns the value of a single-line scalar, which may be incomplete. */
export function unquote(text: string): string {
  const quote = text.charAt(0)
  if (quote !== '"' && quote !== "'") return text.trim()
  const inner = text.slice(1, text.length > 1 && text.endsWith(quote) ? -1 : undefined)
  return quote === "'" ? inner.replaceAll("''", "'") : inner.replaceAll(/\\(["\\/])/g, '$1')
}
