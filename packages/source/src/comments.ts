import { lineEnd } from './scan.ts'
import { EVENT_ID, type YamlEvent } from './yaml.ts'

/** Offsets of all comments: a `#` outside every scalar, at the start of a line or after white space. Linear. */
export function findComments(events: readonly YamlEvent[], text: string): number[] {
  const found: number[] = []
  let from = 0
  // The next `#` is looked for once, not once per gap: a text may have many gaps and no comment.
  let hash = text.indexOf('#')
  for (const event of events) {
    if (hash < 0) break
    if (event.type !== EVENT_ID.SCALAR || event.valueStart < 0) continue
    hash = scan(text, hash, from, event.valueStart, found)
    from = event.valueEnd
  }
  scan(text, hash, from, text.length, found)
  return found
}

/** Collects the comments of a gap between scalars and returns the first `#` after it. */
function scan(text: string, first: number, from: number, to: number, found: number[]): number {
  let hash = first >= 0 && first < from ? text.indexOf('#', from) : first
  while (hash >= 0 && hash < to) {
    const opens = hash === 0 || /\s/.test(text.charAt(hash - 1))
    if (opens) found.push(hash)
    hash = text.indexOf('#', opens ? lineEnd(text, hash) : hash + 1)
  }
  return hash
}
