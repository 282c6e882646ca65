/** Formats JSON as highlighted lines with the evidence marked. Bounded and iterative, because the JSON is untrusted. */

/** A marked value, given by its path, or a marked range in the text of the value. */
export interface Mark {
  readonly path: string
  readonly from?: number
  readonly to?: number
}

interface Piece {
  readonly text: string
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'sign' | 'note'
  readonly mark?: boolean
}

interface JsonLine {
  readonly indent: number
  readonly pieces: Piece[]
}

/** Maximum number of lines, and maximum number of characters per string. */
export interface Bounds {
  readonly lines: number
  readonly characters: number
}

interface Task {
  readonly open: readonly Piece[]
  readonly value: unknown
  readonly path: string
  readonly indent: number
  readonly comma: boolean
  readonly marked: boolean
}

/** Formats a value. `cut` is true if something was omitted. `marked` is the number of marks that the lines contain. */
export function jsonLines(
  value: unknown,
  marks: readonly Mark[],
  bounds: Bounds,
): { lines: JsonLine[]; cut: boolean; marked: number } {
  const lines: JsonLine[] = []
  const stack: (Task | JsonLine)[] = [{ open: [], value, path: '', indent: 0, comma: false, marked: false }]
  let cut = false
  let marked = 0
  for (let task = stack.pop(); task !== undefined; task = stack.pop()) {
    if (lines.length >= bounds.lines) return { lines, cut: true, marked }
    if (!('value' in task)) {
      lines.push(task)
      continue
    }
    const { path, value: here, open, indent } = task
    const own = marks.filter((mark) => mark.path === path)
    marked += own.length
    const isMarked = task.marked || own.some(({ from }) => from === undefined || typeof here !== 'string')
    const inner = { ...task, marked: isMarked }
    const tail = sign(task.comma ? ',' : '', false)
    if (typeof here === 'object' && here !== null)
      for (const next of openContainer(lines, inner, here, tail, bounds.lines).reverse()) stack.push(next)
    else if (typeof here === 'string') cut = stringLines(lines, inner, here, own, bounds, tail) || cut
    else lines.push({ indent, pieces: [...open, scalar(here, isMarked), ...tail] })
  }
  return { lines, cut, marked }
}

/** Writes the first line of a list or object. Returns tasks for up to `limit` elements, and the last line. */
function openContainer(
  lines: JsonLine[],
  { open, path, indent, marked }: Task,
  value: object,
  tail: readonly Piece[],
  limit: number,
): (Task | JsonLine)[] {
  const list = Array.isArray(value)
  const keys = Object.keys(value)
  const [left, right] = list ? ['[', ']'] : ['{', '}']
  if (keys.length === 0) {
    lines.push({ indent, pieces: [...open, ...sign(left + right, marked), ...tail] })
    return []
  }
  lines.push({ indent, pieces: [...open, ...sign(left, marked)] })
  const inner = keys.slice(0, limit).map((key, place): Task => {
    const name: Piece = { text: JSON.stringify(key), kind: 'key', mark: marked }
    return {
      open: list ? [] : [name, ...sign(': ', marked)],
      value: Reflect.get(value, key),
      path: list ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`,
      indent: indent + 1,
      comma: place < keys.length - 1,
      marked,
    }
  })
  return [...inner, { indent, pieces: [...sign(right, marked), ...tail] }]
}

/** Writes each line of a string as a line. Returns true if a part of the string was omitted. */
function stringLines(
  lines: JsonLine[],
  { open, indent, marked }: Task,
  text: string,
  marks: readonly Mark[],
  bounds: Bounds,
  tail: readonly Piece[],
): boolean {
  const spans = marks.filter((mark) => mark.from !== undefined)
  const middle = spans[0]?.from ?? 0
  const from = Math.max(0, Math.min(middle - bounds.characters / 2, text.length - bounds.characters))
  const to = Math.min(text.length, from + bounds.characters)
  let line: JsonLine = { indent, pieces: [...open, { text: '"', kind: 'string', mark: marked }] }
  const note = (count: number) => {
    if (count > 0) line.pieces.push({ text: `… ${count} more characters …`, kind: 'note' })
  }
  note(from)
  for (const [start, end, mark] of splitRange(from, to, spans)) {
    for (const [number, part] of text.slice(start, end).split('\n').entries()) {
      if (lines.length >= bounds.lines) return true
      if (number > 0) {
        line.pieces.push({ text: '\\n', kind: 'string', mark: marked || mark })
        lines.push(line)
        line = { indent: indent + 1, pieces: [] }
      }
      if (part !== '')
        line.pieces.push({ text: JSON.stringify(part).slice(1, -1), kind: 'string', mark: marked || mark })
    }
  }
  note(text.length - to)
  line.pieces.push({ text: '"', kind: 'string', mark: marked }, ...tail)
  lines.push(line)
  return from > 0 || to < text.length
}

function splitRange(from: number, to: number, marks: readonly Mark[]): [start: number, end: number, mark: boolean][] {
  const edges = marks.flatMap((mark) => [mark.from ?? 0, mark.to ?? 0]).filter((edge) => edge > from && edge < to)
  const cuts = [...new Set([from, ...edges, to])].sort((left, right) => left - right)
  return cuts.slice(0, -1).map((start, place) => {
    const inside = marks.some((mark) => (mark.from ?? 0) <= start && start < (mark.to ?? 0))
    return [start, cuts[place + 1] ?? to, inside]
  })
}

function sign(text: string, mark: boolean): Piece[] {
  return text === '' ? [] : [{ text, kind: 'sign', mark }]
}

function scalar(value: unknown, mark: boolean): Piece {
  return { text: String(value), kind: ['number', 'bigint'].includes(typeof value) ? 'number' : 'word', mark }
}
