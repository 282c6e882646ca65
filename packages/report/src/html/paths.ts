/** Reports travel: where things lie on the machine that made them is nobody's business. */

/** What agents, attackers and authors said; a path in it is evidence. */
const SAID = new Set(['attack', 'answer', 'printed', 'evidence', 'match', 'approvals', 'task'])

/** Of what is nothing but a path; there may be spaces in it. */
const FOLDERS = /^(?:\/|[A-Za-z]:[\\/]).*[\\/]/
/** An absolute path, up to its last name. */
const WHOLE = /^(?:\/|[A-Za-z]:[\\/])(?:[^\\/\s]+[\\/])*([^\\/\s]+)$/
// Three names deep, so that the path of a URL by itself stays.
const WITHIN = /(?<=^|[\s'"=(`])(?:(?:\/[^\s/'"`)]+){2,}\/|[A-Za-z]:\\(?:[^\s\\'"`)]+\\)*)(?=[^\s/\\'"`)])/g

/** A value with absolute paths cut to their last name; those that somebody said are kept. */
export function withoutFolders<T>(value: T): T {
  // What comes out has the shape of what went in: only strings are changed.
  return cutIn(value) as T
}

function cutIn(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(WHOLE, '$1').replaceAll(WITHIN, '')
  if (Array.isArray(value)) return value.map(cutIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, cutField(key, part)]))
}

function cutField(key: string, value: unknown): unknown {
  if (SAID.has(key)) return namedIn(value)
  return key === 'file' && typeof value === 'string' ? value.replace(FOLDERS, '') : cutIn(value)
}

/** A document that could not be read has its file for a name. */
function namedIn(said: unknown): unknown {
  if (typeof said !== 'object' || said === null || !('name' in said) || typeof said.name !== 'string') return said
  return { ...said, name: said.name.replace(WHOLE, '$1') }
}
