/** HTTP headers and statuses that a document sets: `x-joust-headers`, and the pages of `x-joust-pages`. */
import { describeValue, type Value } from '@joust/source'

/** The extension on a state or an action: headers by name. Null removes a header. */
export const HEADERS = 'x-joust-headers'
/** The extension on an MCP server: additional HTTP pages. */
export const PAGES = 'x-joust-pages'
/** The key in `x-joust-headers` that sets the status of a server's responses. */
export const STATUS = ':status'

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
/** Headers that delimit messages. A different value would break the connection instead of testing the peer. */
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'connection', 'upgrade'])

/** Returns the reason why a header cannot be sent; undefined if it can. `takesStatus` allows `:status`. */
export function headerFault(name: string, value: Value, takesStatus: boolean): string | undefined {
  const key = name.toLowerCase()
  const got = describeValue(value)
  if (key === STATUS) {
    if (!takesStatus) return `${STATUS} has no effect here, only in ${HEADERS} of a server state`
    return statusOf(value, 100) === undefined ? `expected a status from 100 to 599, got ${got}` : undefined
  }
  if (!NAME.test(key)) return `expected a header name, got ${describeValue(name)}`
  if (FRAMING.has(key)) return `${key} cannot be replaced, because another value breaks the connection`
  if (value === null) return undefined
  if (typeof value === 'object') return `expected a string, or null to remove the header, got ${got}`
  return VALUE.test(String(value)) ? undefined : `expected Latin-1 text without control characters, got ${got}`
}

/** Reads a status from `least` to 599, given as a number or string; undefined for any other value. */
export function statusOf(value: Value | undefined, least: number): number | undefined {
  const isStatus = (typeof value === 'number' || typeof value === 'string') && /^[1-5]\d\d$/.test(String(value))
  return isStatus && Number(value) >= least ? Number(value) : undefined
}
