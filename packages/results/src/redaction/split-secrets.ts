import { beginningAtEnd, findSpellings, isList, isRecord, ownText, type Path, type Value } from '@joust/source'
import { resultsLimits } from '../model/limits.ts'
import { markOf, SECRET_KIND } from './redactor.ts'

/** Options for {@link hideSplitSecrets}. */
export interface SplitOptions<Item> {
  readonly secrets: readonly string[]
  /** Identifies the stream of an item. */
  streamOf(item: Item): string
  valueOf(item: Item): Value
  /** Returns a copy of the item with the redacted value. */
  hidden(item: Item, value: Value): Item
}

/** Emits items in order. Holds back an item that may contain the start of a secret until later items arrive. */
export interface SplitHider<Item> {
  push(item: Item): void
  /** Emits the held items. A possible start of a secret is redacted. */
  flush(): void
}

interface Held<Item> {
  item: Item
  /** Number of possible secrets of which this item contains a part. */
  open: number
}

/** A text in a held item, which begins at `start`. */
interface Piece<Item> {
  readonly of: Held<Item>
  readonly at: Path
  readonly text: string
  readonly start: number
}

/** The end of a stream's text, which may be the start of a secret. */
interface Tail<Item> {
  readonly pieces: readonly Piece<Item>[]
  readonly text: string
  /** Number of characters that match the start of a secret. */
  readonly known: number
  age: number
}

/**
 * Creates a redactor for secrets that are split across several items, such as the deltas of a stream.
 *
 * @example
 * const hider = hideSplitSecrets(
 *   {
 *     secrets: [password],
 *     streamOf: () => 'answer',
 *     valueOf: (chunk: string) => chunk,
 *     hidden: (_, value) => String(value),
 *   },
 *   (chunk) => process.stdout.write(chunk),
 * )
 * for (const chunk of ['The password is ', password.slice(0, 4), password.slice(4)]) hider.push(chunk)
 * hider.flush()
 */
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
    if (tail.known >= SHORTEST_START) hide(options, tail.pieces, 0, tail.text.length)
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
      const tail = lastCharacters(pieces, length)
      for (const { of } of tail) of.open += 1
      if (before !== undefined) settle(key, before)
      tails.set(key, { pieces: tail, text: rest.slice(-length), known, age: 0 })
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
        if (tail.age > resultsLimits.splitEntries) expire(key, tail)
      }
      pass()
    },
    flush() {
      for (const [key, tail] of [...tails]) expire(key, tail)
      pass()
    },
  }
}

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
      // Counted from the end, because earlier pieces may already be redacted.
      const end = now.length - (text.length - start - right)
      return `${now.slice(0, end - (right - left))}${mark}${now.slice(end)}`
    })
    of.item = options.hidden(of.item, value)
  }
}

/** Minimum length of an incomplete secret that is redacted. */
const SHORTEST_START = 8

function lastCharacters<Item>(pieces: readonly Piece<Item>[], length: number): Piece<Item>[] {
  const tail: Piece<Item>[] = []
  let missing = length
  for (const piece of pieces.toReversed()) {
    if (missing <= 0) break
    const here = Math.min(missing, piece.text.length - piece.start)
    if (here > 0) tail.unshift({ ...piece, start: piece.text.length - here })
    missing -= here
  }
  return tail
}

/** Fields that identify the text to which a delta belongs. */
const ids = ['messageId', 'toolCallId', 'message', 'call', 'taskId', 'artifactId', 'id']

function* textsIn(value: Value): Generator<{ path: Path; text: string; id: string }> {
  const pending: { readonly value: Value; readonly path: Path; readonly id: string }[] = [{ value, path: [], id: '' }]
  let visited = 0
  for (let next = pending.pop(); next !== undefined && visited < resultsLimits.splitTexts; next = pending.pop()) {
    const { path, id } = next
    visited += 1
    if (typeof next.value === 'string') yield { path, text: next.value, id }
    else if (path.length >= resultsLimits.secretLevels) continue
    else if (isList(next.value))
      for (const [index, item] of next.value.entries()) pending.push({ value: item, path: [...path, index], id })
    else if (isRecord(next.value)) {
      const own = idOf(next.value) ?? id
      for (const [key, item] of Object.entries(next.value)) pending.push({ value: item, path: [...path, key], id: own })
    }
  }
}

function idOf(record: Value): string | undefined {
  const values = ids.flatMap((key) => ownText(record, key) ?? [])
  return values.length === 0 ? undefined : values.join(' ')
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
