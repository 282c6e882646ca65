/** Known secrets that arrive in pieces: a stream of deltas can spell one out although no delta holds it. */
import { beginningAtEnd, findSpellings, isList, isRecord, type Path, type Value, type ValueRecord } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import { markOf, SECRET_KIND } from './redactor.ts'

/** How items are taken apart and put together. */
export interface SplitOptions<Item> {
  readonly secrets: readonly string[]
  /** What distinguishes streams that are heard at the same time. */
  streamOf(item: Item): string
  valueOf(item: Item): Value
  /** The item with pieces of secrets hidden in its value. */
  hidden(item: Item, value: Value): Item
}

/** Takes items and passes them on in order; those that may hold a piece of a secret wait for what comes next. */
export interface SplitHider<Item> {
  push(item: Item): void
  /** Passes on whatever is waiting; what could be the beginning of a secret is hidden. */
  flush(): void
}

interface Held<Item> {
  item: Item
  /** How many unfinished texts end in it. */
  open: number
}

/** A part of a text in an item that is waiting. */
interface Piece<Item> {
  readonly of: Held<Item>
  readonly at: Path
  readonly text: string
  readonly start: number
}

/** The end of a stream's text, as far as a secret could begin there. */
interface Tail<Item> {
  readonly pieces: readonly Piece<Item>[]
  readonly text: string
  /** The number of characters of a secret that it stands for. */
  readonly known: number
  age: number
}

/** Hides secrets that are split over several items. */
export function hideSplitSecrets<Item>(options: SplitOptions<Item>, emit: (item: Item) => void): SplitHider<Item> {
  const secrets = options.secrets.filter((secret) => secret.length > 1)
  const queue: Held<Item>[] = []
  const tails = new Map<string, Tail<Item>>()
  const pass = () => {
    while (queue[0]?.open === 0) emit((queue.shift() as Held<Item>).item)
  }
  const settle = (key: string, tail: Tail<Item>) => {
    tails.delete(key)
    for (const { of } of tail.pieces) of.open -= 1
  }
  const expire = (key: string, tail: Tail<Item>) => {
    if (tail.known >= SHORTEST_BEGINNING) hide(options, tail.pieces, 0, tail.text.length)
    settle(key, tail)
  }
  const follow = (held: Held<Item>, key: string, at: Path, text: string) => {
    const before = tails.get(key)
    const whole = `${before?.text ?? ''}${text}`
    const piece: Piece<Item> = { of: held, at, text, start: 0 }
    const pieces = [...(before?.pieces ?? []), piece]
    let done = 0
    const edge = before?.text.length ?? 0
    const spans = edge === 0 ? [] : findSpellings(secrets, whole).filter(({ start }) => start < edge)
    const [first] = spans.sort((a, b) => a.start - b.start || b.end - a.end)
    if (first !== undefined) {
      hide(options, pieces, first.start, first.end)
      done = first.end
    }
    const rest = whole.slice(done)
    const { length, known } = beginningAtEnd(secrets, rest)
    if (length > 0) {
      const kept = lastCharacters(pieces, length)
      for (const { of } of kept) of.open += 1
      if (before !== undefined) settle(key, before)
      tails.set(key, { pieces: kept, text: rest.slice(-length), known, age: 0 })
    } else if (before !== undefined) settle(key, before)
  }
  return {
    push(item) {
      const held: Held<Item> = { item, open: 0 }
      queue.push(held)
      const stream = options.streamOf(item)
      for (const { path, text, id } of textsIn(options.valueOf(item))) {
        const key = JSON.stringify([stream, id, path])
        if (text !== '') follow(held, key, path, text)
      }
      for (const [key, tail] of tails) {
        tail.age += 1
        if (tail.age > arenaLimits.splitEntries) expire(key, tail)
      }
      pass()
    },
    flush() {
      for (const [key, tail] of [...tails]) expire(key, tail)
      pass()
    },
  }
}

/** Hides the characters from one position to another of a text that is in pieces. */
function hide<Item>(options: SplitOptions<Item>, pieces: readonly Piece<Item>[], from: number, to: number): void {
  let begun = false
  let position = 0
  for (const { of, at, text, start } of pieces) {
    const [left, right] = [Math.max(from - position, 0), Math.min(to - position, text.length - start)]
    position += text.length - start
    if (left >= right) continue
    const mark = begun ? '' : markOf(SECRET_KIND)
    begun = true
    const value = replaceAt(options.valueOf(of.item), at, (now) => {
      // Counted from the end: what comes before may have been hidden in the meantime.
      const end = now.length - (text.length - start - right)
      return `${now.slice(0, end - (right - left))}${mark}${now.slice(end)}`
    })
    of.item = options.hidden(of.item, value)
  }
}

/** The shortest beginning of a secret that is hidden when nothing follows it. */
const SHORTEST_BEGINNING = 8

function lastCharacters<Item>(pieces: readonly Piece<Item>[], length: number): Piece<Item>[] {
  const kept: Piece<Item>[] = []
  let missing = length
  for (const piece of pieces.toReversed()) {
    if (missing <= 0) break
    const here = Math.min(missing, piece.text.length - piece.start)
    if (here > 0) kept.unshift({ ...piece, start: piece.text.length - here })
    missing -= here
  }
  return kept
}

/** Fields that say to which of several texts a delta belongs. */
const ids = ['messageId', 'toolCallId', 'message', 'call', 'taskId', 'artifactId', 'id']

/** Every text of a value, as deep and in as many places as deltas can be. */
function* textsIn(value: Value): Generator<{ path: Path; text: string; id: string }> {
  const pending: { readonly value: Value; readonly path: Path; readonly id: string }[] = [{ value, path: [], id: '' }]
  let seen = 0
  for (let next = pending.pop(); next !== undefined && seen < arenaLimits.splitTexts; next = pending.pop()) {
    const { path, id } = next
    seen += 1
    if (typeof next.value === 'string') yield { path, text: next.value, id }
    else if (path.length >= arenaLimits.secretLevels) continue
    else if (isList(next.value))
      for (const [index, item] of next.value.entries()) pending.push({ value: item, path: [...path, index], id })
    else if (isRecord(next.value)) {
      const own = idOf(next.value) ?? id
      for (const [key, item] of Object.entries(next.value)) pending.push({ value: item, path: [...path, key], id: own })
    }
  }
}

function idOf(record: ValueRecord): string | undefined {
  const found = ids.flatMap((key) =>
    Object.hasOwn(record, key) && typeof record[key] === 'string' ? [record[key]] : [],
  )
  return found.length === 0 ? undefined : found.join(' ')
}

function replaceAt(value: Value, [first, ...rest]: Path, change: (text: string) => string): Value {
  if (first === undefined) return typeof value === 'string' ? change(value) : value
  if (isList(value)) return value.map((item, index) => (index === first ? replaceAt(item, rest, change) : item))
  if (!isRecord(value) || !Object.hasOwn(value, first)) return value
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    key === first ? replaceAt(item, rest, change) : item,
  ])
  return Object.fromEntries(entries)
}
