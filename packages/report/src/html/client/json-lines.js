/** JSON as lines of coloured pieces, with the evidence marked at its path. Bounded, and it does not recurse. */

/**
 * What to mark: the value at a path, or a stretch of its text.
 * @typedef {{ path: string, from?: number, to?: number }} Mark
 */
/** @typedef {'key' | 'string' | 'number' | 'word' | 'sign' | 'note'} PieceKind */
/** @typedef {{ text: string, kind: PieceKind, mark?: boolean }} Piece */
/** @typedef {{ indent: number, pieces: Piece[] }} JsonLine */
/** @typedef {{ lines: number, characters: number }} Bounds how many lines, and how many characters of one text */
/** @typedef {{ open: Piece[], value: unknown, path: string, indent: number, comma: boolean, marked: boolean }} Task */

/**
 * The lines, and whether something was left out of them.
 * @param {unknown} value
 * @param {readonly Mark[]} marks
 * @param {Bounds} bounds
 * @returns {{ lines: JsonLine[], cut: boolean, marked: number }}
 */
export function jsonLines(value, marks, bounds) {
  /** @type {JsonLine[]} */
  const lines = []
  /** @type {(Task | JsonLine)[]} */
  const stack = [{ open: [], value, path: '', indent: 0, comma: false, marked: false }]
  let cut = false
  let found = 0
  while (stack.length > 0) {
    const task = /** @type {Task | JsonLine} */ (stack.pop())
    if (lines.length >= bounds.lines) return { lines, cut: true, marked: found }
    if (!('value' in task)) {
      lines.push(task)
      continue
    }
    const here = marks.filter((mark) => mark.path === task.path)
    found += here.length
    const inner = {
      ...task,
      marked: task.marked || here.some(({ from }) => from === undefined || typeof task.value !== 'string'),
    }
    const tail = sign(task.comma ? ',' : '', false)
    if (typeof task.value === 'object' && task.value !== null)
      for (const next of opened(lines, inner, task.value, tail, bounds.lines).reverse()) stack.push(next)
    else if (typeof task.value === 'string') cut = stringLines(lines, inner, task.value, here, bounds, tail) || cut
    else lines.push({ indent: task.indent, pieces: [...task.open, scalar(task.value, inner.marked), ...tail] })
  }
  return { lines, cut, marked: found }
}

/**
 * The first line of a list or mapping goes out; its elements and its last line are left to do.
 * @param {JsonLine[]} lines
 * @param {Task} task
 * @param {object} value
 * @param {Piece[]} tail
 * @param {number} most elements that are left to do; more would not be shown
 * @returns {(Task | JsonLine)[]}
 */
function opened(lines, { open, path, indent, marked }, value, tail, most) {
  const list = Array.isArray(value)
  const keys = Object.keys(value)
  const [left, right] = list ? ['[', ']'] : ['{', '}']
  if (keys.length === 0) {
    lines.push({ indent, pieces: [...open, ...sign(left + right, marked), ...tail] })
    return []
  }
  lines.push({ indent, pieces: [...open, ...sign(left, marked)] })
  const inner = keys.slice(0, most).map((key, place) => ({
    open: list
      ? []
      : [{ text: JSON.stringify(key), kind: /** @type {const} */ ('key'), mark: marked }, ...sign(': ', marked)],
    value: Reflect.get(value, key),
    path: list ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`,
    indent: indent + 1,
    comma: place < keys.length - 1,
    marked,
  }))
  return [...inner, { indent, pieces: [...sign(right, marked), ...tail] }]
}

/**
 * A text: a line break in it begins a line. Says whether some of it was left out.
 * @param {JsonLine[]} lines
 * @param {Task} task
 * @param {string} text
 * @param {readonly Mark[]} marks
 * @param {Bounds} bounds
 * @param {Piece[]} tail
 * @returns {boolean}
 */
function stringLines(lines, { open, indent, marked }, text, marks, bounds, tail) {
  const spans = marks.filter((mark) => mark.from !== undefined)
  const middle = spans[0]?.from ?? 0
  const from = Math.max(0, Math.min(middle - bounds.characters / 2, text.length - bounds.characters))
  const to = Math.min(text.length, from + bounds.characters)
  /** @type {JsonLine} */
  let line = { indent, pieces: [...open, { text: '"', kind: 'string', mark: marked }] }
  const note = (/** @type {number} */ count) => {
    if (count > 0) line.pieces.push({ text: `… ${count} more characters …`, kind: 'note' })
  }
  note(from)
  for (const [start, end, mark] of stretches(from, to, spans)) {
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

/**
 * A range cut where marks begin and end.
 * @param {number} from
 * @param {number} to
 * @param {readonly Mark[]} marks
 * @returns {[number, number, boolean][]}
 */
function stretches(from, to, marks) {
  const edges = marks.flatMap((mark) => [mark.from ?? 0, mark.to ?? 0]).filter((edge) => edge > from && edge < to)
  const cuts = [...new Set([from, ...edges, to])].sort((left, right) => left - right)
  return cuts.slice(0, -1).map((start, place) => {
    const inside = marks.some((mark) => (mark.from ?? 0) <= start && start < (mark.to ?? 0))
    return [start, cuts[place + 1] ?? to, inside]
  })
}

/**
 * @param {string} text
 * @param {boolean} mark
 * @returns {Piece[]}
 */
function sign(text, mark) {
  return text === '' ? [] : [{ text, kind: 'sign', mark }]
}

/**
 * @param {unknown} value
 * @param {boolean} mark
 * @returns {Piece}
 */
function scalar(value, mark) {
  return { text: String(value), kind: ['number', 'bigint'].includes(typeof value) ? 'number' : 'word', mark }
}
