import type { Position } from '../model/diagnostic.ts'
import { Lines } from '../text/lines.ts'
import { parseJson } from './read-json.ts'

export interface CutItem {
  readonly text: string
  readonly start: Position
  /** The index of the item in its list, after the indices of the enclosing items. */
  readonly place: readonly number[]
}

/** The JSON text without the items. */
export interface JsonFrame {
  /** The text with each item replaced by its number, counting from 0 over the whole text. */
  readonly text: string
  /** Converts a position in the frame to a position in the whole text. */
  whole(position: Position): Position
}

interface JsonCutter {
  add(part: string): void
  finish(): JsonFrame
}

/** The end of an item: the offset in the frame, and the position in the whole text. */
type Seam = Position & { readonly offset: number }

const [QUOTE, BACKSLASH, COMMA, LINE_FEED, RETURN] = [0x22, 0x5c, 0x2c, 0x0a, 0x0d]
const [LIST, LIST_END, RECORD, RECORD_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Cuts list items out of a JSON text that arrives in chunks, so that the whole text is never in memory. `keys` selects
 * the lists: `['targets', 'attacks']` means the `attacks` of all items in `targets`. `onItem` is called as soon as an
 * item is complete. The text is not checked: a syntax error is in an item or in the frame.
 */
export function createJsonCutter(keys: readonly string[], onItem: (item: CutItem) => void): JsonCutter {
  const place = createPlace(keys)
  const lines = createLineCounter()
  const pieces = createPieces(lines.position)
  let depth = 0
  const stepInItem = (code: number, at: number) => {
    if (code === LIST || code === RECORD) depth += 1
    else if ((code === LIST_END || code === RECORD_END) && depth > 0) depth -= 1
    else if (depth === 0 && (code === COMMA || code === LIST_END || code === RECORD_END)) {
      const item = pieces.endItem(at)
      if (item !== undefined) onItem({ ...item, place: place.numbers() })
      place.step(code)
      if (code === COMMA) pieces.beginItem(at + 1)
    }
  }
  let [isString, isEscaped] = [false, false]
  const step = (code: number, at: number) => {
    if (isString) {
      isString = isEscaped || code !== QUOTE
      isEscaped = !isEscaped && code === BACKSLASH
      if (!isString) place.endString(pieces.endWord(at))
    } else if (code === QUOTE) {
      isString = true
      if (!pieces.inItem() && place.expectsKey()) pieces.beginWord(at + 1)
    } else if (pieces.inItem()) stepInItem(code, at)
    else if (place.step(code)) pieces.beginItem(at + 1)
  }
  return {
    add(part) {
      lines.open(part)
      pieces.open(part)
      for (let at = 0; at < part.length; at++) {
        const code = part.charCodeAt(at)
        lines.count(code, at)
        step(code, at)
      }
      pieces.close()
    },
    finish: pieces.finish,
  }
}

/** An open collection that encloses the items. */
interface Level {
  readonly isList: boolean
  /** The index of the current list item. */
  index: number
  /** The key of the current value in a record; undefined before the key ends. */
  key: string | undefined
}

/** Tracks the collections that enclose the items. */
function createPlace(keys: readonly string[]) {
  const levels: Level[] = []
  const isCut = () =>
    levels.length === 2 * keys.length &&
    levels.every(({ isList, key }, at) => isList === (at % 2 === 1) && (isList || key === keys[at / 2]))
  const expectsKey = () => levels.at(-1)?.isList === false && levels.at(-1)?.key === undefined
  return {
    /** Moves past a character outside strings. Returns true if list items begin after the character. */
    step(code: number): boolean {
      const level = levels.at(-1)
      if (code === LIST || code === RECORD) levels.push({ isList: code === LIST, index: 0, key: undefined })
      else if (code === LIST_END || code === RECORD_END) levels.pop()
      else if (code === COMMA && level !== undefined) {
        level.index += 1
        level.key = undefined
      }
      return code === LIST && isCut()
    },
    expectsKey,
    /** Ends a string. If `word` contains the text of the string, the string is a key. */
    endString(word: string | undefined): void {
      const level = levels.at(-1)
      if (word !== undefined && level !== undefined) level.key = keyIn(word)
    },
    numbers: () => levels.flatMap(({ isList, index }) => (isList ? [index] : [])),
  }
}

function createLineCounter() {
  let [before, length, line, lineStart, isAfterReturn] = [0, 0, 1, 0, false]
  return {
    open(part: string): void {
      before += length
      length = part.length
      if (before === 0 && part.startsWith('\ufeff')) lineStart = 1
    },
    count(code: number, at: number): void {
      if (code === RETURN || (code === LINE_FEED && !isAfterReturn)) line += 1
      if (code === RETURN || code === LINE_FEED) lineStart = before + at + 1
      isAfterReturn = code === RETURN
    },
    position: (at: number): Position => ({ line, column: before + at - lineStart + 1 }),
  }
}

/** Splits the text into frame and items. */
function createPieces(position: (at: number) => Position) {
  const frame: string[] = []
  const seams: Seam[] = []
  let item: { readonly parts: string[]; readonly start: Position } | undefined
  let word: string[] | undefined
  let [part, from, wordFrom] = ['', 0, 0]
  let frameLength = 0
  const addToFrame = (text: string) => {
    frame.push(text)
    frameLength += text.length
  }
  /** Moves the text up to an offset in the chunk to the current item or the frame. */
  const flush = (to: number) => {
    const text = part.slice(from, to)
    from = to
    if (item !== undefined) item.parts.push(text)
    else addToFrame(text)
  }
  return {
    open(text: string): void {
      ;[part, from, wordFrom] = [text, 0, 0]
    },
    close(): void {
      flush(part.length)
      word?.push(part.slice(wordFrom))
    },
    beginWord(at: number): void {
      ;[word, wordFrom] = [[], at]
    },
    /** Returns the text since the call of `beginWord`, if any. */
    endWord(at: number): string | undefined {
      const text = word && [...word, part.slice(wordFrom, at)].join('')
      word = undefined
      return text
    },
    inItem: () => item !== undefined,
    beginItem(at: number): void {
      flush(at)
      item = { parts: [], start: position(at) }
    },
    /** Ends an item and returns it; undefined if it is empty, because of an empty list or a syntax error. */
    endItem(at: number): Omit<CutItem, 'place'> | undefined {
      flush(at)
      const { parts, start } = item ?? { parts: [], start: position(at) }
      item = undefined
      const text = parts.join('')
      const isEmpty = text.trim() === ''
      addToFrame(isEmpty ? text : String(seams.length))
      if (!isEmpty) seams.push({ offset: frameLength, ...position(at) })
      return isEmpty ? undefined : { text, start }
    },
    finish(): JsonFrame {
      // An unfinished item is a syntax error, which parsing the frame reports.
      for (const text of item?.parts ?? []) addToFrame(text)
      item = undefined
      const text = frame.join('')
      return { text, whole: (position) => wholePosition(position, text, seams) }
    },
  }
}

/** Returns a key without its quotes; undefined for a syntax error. */
function keyIn(written: string): string | undefined {
  const key = written.includes('\\') ? parseJson(`"${written}"`) : written
  return typeof key === 'string' ? key : undefined
}

function wholePosition({ line, column }: Position, frame: string, seams: readonly Seam[]): Position {
  const lines = new Lines(frame)
  const seam = seams.findLast(({ offset }) => {
    const at = lines.position(offset)
    return at.line < line || (at.line === line && at.column <= column)
  })
  if (seam === undefined) return { line, column }
  const at = lines.position(seam.offset)
  return at.line === line
    ? { line: seam.line, column: seam.column + column - at.column }
    : { line: seam.line + line - at.line, column }
}
