import { EVENT_ID, type YamlEvent } from './yaml.ts'

/** Offsets of all comments: a `#` outside every scalar, at the start of a line or after white space. */
export function findComments(events: readonly YamlEvent[], text: string): number[] {
  const found: number[] = []
  let offset = 0
  for (const event of events) {
    if (event.type !== EVENT_ID.SCALAR || event.valueStart < 0) continue
    scan(text, offset, event.valueStart, found)
    offset = event.valueEnd
  }
  scan(text, offset, text.length, found)
  return found
}

function scan(text: string, from: number, to: number, found: number[]): void {
  let hash = text.indexOf('#', from)
  while (hash >= 0 && hash < to) {
    const opens = hash === 0 || /\s/.test(text.charAt(hash - 1))
    if (opens) found.push(hash)
    const newline = opens ? text.indexOf('\n', hash) : hash
    hash = newline < 0 ? -1 : text.indexOf('#', newline + 1)
  }
}
