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
  type YamlEvent,
  type YamlFault,
} from './yaml.ts'

const QUOTES = 'a value that starts with {{ needs quotes'

/** The finding for what js-yaml refused, in our words and at the right place. Without events the text was not YAML. */
export function explainFault(
  fault: YamlFault,
  text: string,
  limits: Limits,
  events: readonly YamlEvent[] = [],
): Result<never, SourceDiagnostic[]> {
  const { message, offset } = reword(fault, text, limits, events)
  const position = offset === undefined ? undefined : new Lines(text).position(offset)
  if (message === TOO_DEEP) return overLimit(limits, 'yamlDepth', undefined, position)
  return unreadable('syntax', message, position)
}

interface Reworded {
  readonly message: string
  readonly offset?: number
}

function reword(fault: YamlFault, text: string, limits: Limits, events: readonly YamlEvent[]): Reworded {
  const { reason } = fault
  if (reason.startsWith('nesting exceeded maxDepth')) return { ...fault, message: TOO_DEEP }
  if (reason === NON_FINITE) return { message: reason, ...firstNonFinite(events, text) }
  if (reason.endsWith('does not support complex keys')) return complexKey(fault, text, events)
  if (reason === 'duplicated mapping key') {
    return { message: 'this key appears twice in its mapping', offset: outsideQuote(fault.offset ?? 0, events) }
  }
  if (reason.startsWith('unidentified alias')) {
    return { ...fault, message: `${reason}: it has no anchor before it; a value that starts with * needs quotes` }
  }
  if (reason === 'deficient indentation' || reason.startsWith('unexpected end of the stream within a')) {
    return unclosed(fault, text, limits)
  }
  if (reason.startsWith('missed comma')) return { ...fault, message: missedComma(text.charAt(fault.offset ?? 0)) }
  if (reason === 'unknown escape sequence') {
    return { ...fault, message: `${reason}; a backslash stands for itself in single quotes` }
  }
  const misfit = /^cannot resolve a node with !<(.*)> explicit tag$/s.exec(reason)?.[1]
  if (misfit !== undefined) return { ...fault, message: `the value does not fit its tag ${misfit}` }
  const offset = fault.offset ?? 0
  const stray = text.charAt(offset) === ':' && /^(?:bad indentation|end of the stream)/.test(reason)
  return { ...fault, message: (stray ? strayColon(text, offset) : reason) + hint(text, offset) }
}

/** Characters that are read again to find what was not closed. */
const MOST_READ = 2_000_000

/** What was not closed is the last opener in whose place any value could stand: those after it are inside it. */
function unclosed({ reason, offset: end = 0 }: YamlFault, text: string, limits: Limits): Reworded {
  const isOver = reason.startsWith('unexpected end')
  const message = isOver ? reason : 'this line must be indented further than the block it belongs to'
  if (/[\]}]/.test(text.charAt(end))) return { message, offset: end }
  // The bracket around a whole document is open as long as any is.
  const last = isOver && /^\s*[[{]/.test(text) ? text.search(/\S/) : end - 1
  for (let offset = last, left = MOST_READ; offset >= 0 && left > 0; offset--) {
    if (!/[[{"']/.test(text.charAt(offset))) continue
    left -= offset
    if ('fault' in readEvents(`${text.slice(0, offset)}~`, limits.yamlDepth)) continue
    const { line } = new Lines(text).position(end)
    const outside = /\S/.test(text.slice(end)) ? `: line ${line} is not indented far enough to belong to it` : ''
    return { message: `this ${text.charAt(offset)} is not closed${outside}`, offset }
  }
  return { message, offset: end }
}

/** js-yaml takes the wrong bracket for an entry. */
function missedComma(character: string): string {
  if (character === ']') return 'this ] does not close the { that is open'
  if (character === '}') return 'this } does not close the [ that is open'
  return 'a comma is missing before this, or the bracket that closes the entries'
}

function strayColon(text: string, offset: number): string {
  const before = text.slice(lineStart(text, offset), offset)
  if (/:[ \t]/.test(before)) return `a value with ": " in it needs quotes`
  return 'this key is indented further than its neighbours, or the line before it lacks ": " after its key'
}

/** The usual reasons for odd indentation: a template or a reserved character that should have been quoted. */
function hint(text: string, offset: number): string {
  const character = text.charAt(offset)
  if (character === '@' || character === '`') return `; a value that starts with ${character} needs quotes`
  const start = lineStart(text, offset)
  const line = text.slice(start, Math.min(lineEnd(text, offset), start + 500))
  if (/(?:^[ \t]*|[:-][ \t]+)\{\{/.test(line)) return `; ${QUOTES}`
  const closing = /["'\]}](?=[ \t]*$)/.exec(text.slice(start, offset).slice(-500))?.[0]
  return closing === undefined ? '' : `; nothing may follow the ${closing} that closes a value`
}

function firstNonFinite(events: readonly YamlEvent[], text: string): { offset?: number } {
  for (const event of events) {
    if (event.type !== EVENT_ID.SCALAR || event.style !== SCALAR_STYLE.PLAIN || event.tagStart >= 0) continue
    if (isNonFinite(getScalarValue(text, event))) return { offset: event.valueStart }
  }
  return {}
}

/** js-yaml gives the place of a key that is an alias to a collection, but not of one that is itself a collection. */
function complexKey(fault: YamlFault, text: string, events: readonly YamlEvent[]): Reworded {
  const offset = firstComplexKey(events)
  if (offset === undefined) return { ...fault, message: 'a mapping key must be a scalar' }
  if (text.startsWith('{{', offset - 1)) return { message: QUOTES, offset: offset - 1 }
  return { message: `a mapping key must be a scalar; ${QUOTES}`, offset }
}

function firstComplexKey(events: readonly YamlEvent[]): number | undefined {
  /** One entry per open collection: whether the next node is a key; undefined in a sequence. */
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

/** js-yaml points inside the quotes of a key. */
function outsideQuote(offset: number, events: readonly YamlEvent[]): number {
  const key = events.find((event) => event.type === EVENT_ID.SCALAR && event.valueStart === offset)
  const quoted =
    key?.type === EVENT_ID.SCALAR &&
    (key.style === SCALAR_STYLE.SINGLE_QUOTED || key.style === SCALAR_STYLE.DOUBLE_QUOTED)
  return quoted ? offset - 1 : offset
}
