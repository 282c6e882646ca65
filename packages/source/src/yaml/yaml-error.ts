import type { Limits } from '../model/limits.ts'
import type { Result } from '../model/result.ts'
import { overLimit, type SourceDiagnostic, unreadable } from '../model/source.ts'
import { Lines } from '../text/lines.ts'
import { lineEnd, lineStart } from './scan.ts'
import {
  EVENT_ID,
  getScalarValue,
  isNonFinite,
  NON_FINITE,
  readEvents,
  SCALAR_STYLE,
  TOO_DEEP,
  type YamlError,
  type YamlEvent,
} from './yaml.ts'

const QUOTES = 'a value that starts with {{ needs quotes'

/** Converts a js-yaml error to a diagnostic with a clearer message. For invalid syntax there are no `events`. */
export function explainYamlError(
  error: YamlError,
  text: string,
  limits: Limits,
  events: readonly YamlEvent[] = [],
): Result<never, SourceDiagnostic[]> {
  const { message, offset } = reword(error, text, limits, events)
  const position = offset === undefined ? undefined : new Lines(text).position(offset)
  if (message === TOO_DEEP) return overLimit(limits, 'yamlDepth', undefined, position)
  return unreadable('syntax', message, position)
}

interface Reworded {
  readonly message: string
  readonly offset?: number
}

function reword(error: YamlError, text: string, limits: Limits, events: readonly YamlEvent[]): Reworded {
  const { reason } = error
  if (reason.startsWith('nesting exceeded maxDepth')) return { ...error, message: TOO_DEEP }
  if (reason === NON_FINITE) return { message: reason, ...firstNonFinite(events, text) }
  if (reason.endsWith('does not support complex keys')) return complexKey(error, text, events)
  if (reason === 'duplicated mapping key')
    return { message: 'duplicate key in a mapping', offset: outsideQuote(error.offset ?? 0, events) }
  if (reason.startsWith('unidentified alias')) {
    const unknown = reason.replace('unidentified', 'unknown')
    return { ...error, message: `${unknown}; a value that starts with * needs quotes` }
  }
  if (reason === 'deficient indentation' || reason.startsWith('unexpected end of the stream within a'))
    return unclosed(error, text, limits)
  if (reason.startsWith('missed comma')) return { ...error, message: missedComma(text.charAt(error.offset ?? 0)) }
  if (reason === 'unknown escape sequence')
    return { ...error, message: `${reason}; a backslash needs no escape in single quotes` }
  const tag = /^cannot resolve a node with !<(.*)> explicit tag$/s.exec(reason)?.[1]
  if (tag !== undefined) return { ...error, message: `the value does not match its tag ${tag}` }
  const offset = error.offset ?? 0
  const stray = text.charAt(offset) === ':' && /^(?:bad indentation|end of the stream)/.test(reason)
  return { ...error, message: (stray ? strayColon(text, offset) : reason) + hint(text, offset) }
}

/** Maximum number of characters that are parsed again to find an unclosed bracket or quote. */
const MOST_READ = 2_000_000

/**
 * Finds the unclosed bracket or quote: the last one that can be replaced by a value, because later ones are inside it.
 */
function unclosed({ reason, offset: end = 0 }: YamlError, text: string, limits: Limits): Reworded {
  const isOver = reason.startsWith('unexpected end')
  const message = isOver ? reason : 'this line must be indented further than the block it belongs to'
  if (/[\]}]/.test(text.charAt(end))) return { message, offset: end }
  // A bracket around the whole document is the outermost open bracket.
  const last = isOver && /^\s*[[{]/.test(text) ? text.search(/\S/) : end - 1
  for (let offset = last, left = MOST_READ; offset >= 0 && left > 0; offset--) {
    if (!/[[{"']/.test(text.charAt(offset))) continue
    left -= offset
    if ('error' in readEvents(`${text.slice(0, offset)}~`, limits.yamlDepth)) continue
    const { line } = new Lines(text).position(end)
    const outside = /\S/.test(text.slice(end)) ? `: line ${line} is not indented enough to be inside it` : ''
    return { message: `this ${text.charAt(offset)} is not closed${outside}`, offset }
  }
  return { message, offset: end }
}

/** Describes a missing comma. js-yaml treats a mismatched bracket as an entry. */
function missedComma(character: string): string {
  if (character === ']') return 'expected } to close {, got ]'
  if (character === '}') return 'expected ] to close [, got }'
  return 'expected a comma or a closing bracket'
}

function strayColon(text: string, offset: number): string {
  const before = text.slice(lineStart(text, offset), offset)
  if (/:[ \t]/.test(before)) return `a value that contains ": " needs quotes`
  return 'this key is indented more than its siblings, or the line above lacks ": " after its key'
}

/** Returns a hint about the usual causes: an unquoted template or reserved character, or text after a closing quote. */
function hint(text: string, offset: number): string {
  const character = text.charAt(offset)
  if (character === '@' || character === '`') return `; a value that starts with ${character} needs quotes`
  const start = lineStart(text, offset)
  const line = text.slice(start, Math.min(lineEnd(text, offset), start + 500))
  if (/(?:^[ \t]*|[:-][ \t]+)\{\{/.test(line)) return `; ${QUOTES}`
  const closing = /["'\]}](?=[ \t]*$)/.exec(text.slice(start, offset).slice(-500))?.[0]
  return closing === undefined ? '' : `; unexpected text after the closing ${closing}`
}

function firstNonFinite(events: readonly YamlEvent[], text: string): { offset?: number } {
  for (const event of events) {
    if (event.type !== EVENT_ID.SCALAR || event.style !== SCALAR_STYLE.PLAIN || event.tagStart >= 0) continue
    if (isNonFinite(getScalarValue(text, event))) return { offset: event.valueStart }
  }
  return {}
}

/** Describes a key that is itself a collection, and finds its offset, which js-yaml does not report. */
function complexKey(error: YamlError, text: string, events: readonly YamlEvent[]): Reworded {
  const offset = firstComplexKey(events)
  if (offset === undefined) return { ...error, message: 'a mapping key must be a scalar' }
  if (text.startsWith('{{', offset - 1)) return { message: QUOTES, offset: offset - 1 }
  return { message: `a mapping key must be a scalar; ${QUOTES}`, offset }
}

function firstComplexKey(events: readonly YamlEvent[]): number | undefined {
  /** One entry per open collection: true if the next node is a key, undefined in a sequence. */
  const open: (boolean | undefined)[] = []
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT) continue
    if (event.type === EVENT_ID.POP) {
      open.pop()
      continue
    }
    const isKey = open.at(-1)
    if (isKey !== undefined) open[open.length - 1] = !isKey
    if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING) {
      if (isKey) return event.start
      open.push(event.type === EVENT_ID.MAPPING ? true : undefined)
    }
  }
  return undefined
}

/** Moves an offset before the opening quote of a key. js-yaml reports an offset inside the quotes. */
function outsideQuote(offset: number, events: readonly YamlEvent[]): number {
  const key = events.find((event) => event.type === EVENT_ID.SCALAR && event.valueStart === offset)
  const quoted =
    key?.type === EVENT_ID.SCALAR &&
    (key.style === SCALAR_STYLE.SINGLE_QUOTED || key.style === SCALAR_STYLE.DOUBLE_QUOTED)
  return quoted ? offset - 1 : offset
}
