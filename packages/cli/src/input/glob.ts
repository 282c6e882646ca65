/** Globs for paths: `*`, `?`, `**`, `{a,b}`. Matching takes time proportional to pattern length × path length. */
import { commandLimits } from '../terminal/limits.ts'

export function hasGlob(path: string): boolean {
  return /[*?{]/.test(path)
}

/** Expands the braces in a pattern; undefined if there are too many alternatives. */
export function expandBraces(pattern: string): string[] | undefined {
  const done: string[] = []
  const pending = [pattern]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (done.length + pending.length > commandLimits.globAlternatives) return undefined
    const group = innermostGroup(next)
    if (group === undefined) done.push(next)
    else for (const choice of group.choices.toReversed()) pending.push(group.before + choice + group.after)
  }
  return done
}

/** True if a relative path with `/` matches a pattern without braces. */
export function matchesGlob(pattern: string, path: string): boolean {
  return matchesSegments(pattern.split('/'), path.split('/'))
}

/** True if a pattern without braces can match a path below this relative folder. */
export function mayMatchBelow(pattern: string, folder: string): boolean {
  const segments = pattern.split('/')
  const depth = folder.split('/').length
  const above = segments.slice(0, depth)
  return above.includes('**') || (segments.length > depth && matchesSegments(above, folder.split('/')))
}

/** Returns the folder to search: the part of a pattern before the first segment with a glob character. */
export function globBase(pattern: string): string {
  const segments = pattern.split('/')
  const first = segments.findIndex(hasGlob)
  const base = segments.slice(0, first < 0 ? segments.length : first).join('/')
  return base === '' ? (pattern.startsWith('/') ? '/' : '.') : base
}

function innermostGroup(pattern: string) {
  const group = /\{([^{}]*)\}/.exec(pattern)
  if (group === null) return undefined
  const end = group.index + group[0].length
  return { before: pattern.slice(0, group.index), choices: (group[1] ?? '').split(','), after: pattern.slice(end) }
}

/** Matches segments greedily; on a mismatch, extends the last `**` by one segment. */
function matchesSegments(pattern: readonly string[], path: readonly string[]): boolean {
  return matchesSequence(pattern, path, (want) => want === '**', matchesSegment)
}

function matchesSegment(pattern: string, name: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false
  return matchesSequence(
    pattern,
    name,
    (want) => want === '*',
    (want, have) => want === '?' || want === have,
  )
}

function matchesSequence(
  pattern: ArrayLike<string>,
  text: ArrayLike<string>,
  isStar: (want: string) => boolean,
  matches: (want: string, have: string) => boolean,
): boolean {
  let at = 0
  let position = 0
  let star = -1
  let retry = 0
  while (position < text.length) {
    const want = pattern[at]
    if (want !== undefined && isStar(want)) {
      star = at++
      retry = position
    } else if (want !== undefined && matches(want, text[position] ?? '')) {
      at += 1
      position += 1
    } else if (star >= 0) {
      at = star + 1
      position = ++retry
    } else return false
  }
  while (at < pattern.length && isStar(pattern[at] ?? '')) at += 1
  return at === pattern.length
}
