/** Reports travel: where things lie on the machine that made them is nobody's business. */

/** What agents, attackers and authors said; a path in it is evidence. */
const SAID = new Set([
  'answer',
  'printed',
  'evidence',
  'match',
  'text',
  'description',
  'approvals',
  'indicators',
  'task',
])

// Three names deep, so that the path of a URL by itself stays.
const ABSOLUTE =
  /(^|[\s'"=(`])(?:\/[^\s/'"`)]+){2,}\/([^\s/'"`)]+)|(^|[\s'"=(`])[A-Za-z]:\\(?:[^\s\\'"`)]+\\)*([^\s\\'"`)]+)/g
const WHOLE = /^(?:\/|[A-Za-z]:[\\/]).*[\\/]([^\\/]+)$/

/** A value with absolute paths cut to their last name; those that somebody said are kept. */
export function withoutFolders<T>(value: T): T {
  // What comes out has the shape of what went in: only strings are changed.
  return cutIn(value) as T
}

function cutIn(value: unknown): unknown {
  if (typeof value === 'string') return cutPath(value)
  if (Array.isArray(value)) return value.map(cutIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, SAID.has(key) ? part : cutIn(part)]))
}

function cutPath(text: string): string {
  const whole = /\s/.test(text) ? null : WHOLE.exec(text)
  if (whole !== null) return whole[1] ?? text
  return text.replaceAll(ABSOLUTE, (_, before = '', last = '', windows = '', windowsLast = '') => {
    return `${before}${windows}${last}${windowsLast}`
  })
}
