import type { Path } from './path.ts'
import { EVENT_ID, getScalarValue, SCALAR_STYLE, type YamlEvent, type YamlScalar } from './yaml.ts'

/** A piece of YAML beyond plain data. Whether it is allowed is the format's business. */
export interface Construct {
  readonly kind: 'anchor' | 'alias' | 'merge key' | 'tag' | 'directive'
  readonly text: string
  readonly path: Path
  readonly offset: number
}

const coreTags = new Set(['!!str', '!!int', '!!float', '!!bool', '!!null', '!!seq', '!!map'])

/** Whether the events have anchors, aliases, tags, merge keys or tag directives at all: a cheap look for the usual no. */
export function hasConstructs(events: readonly YamlEvent[], text: string): boolean {
  for (const event of events) {
    if (event.type === EVENT_ID.ALIAS) return true
    if (event.type === EVENT_ID.DOCUMENT) {
      if (event.directives.length > 0) return true
    } else if (event.type !== EVENT_ID.POP) {
      if (event.anchorStart >= 0 || event.tagStart >= 0) return true
      if (event.type === EVENT_ID.SCALAR && isMerge(event, text)) return true
    }
  }
  return false
}

/** Every construct of the first document with its path, in document order. */
export function findConstructs(events: readonly YamlEvent[], text: string): Construct[] {
  const found: Construct[] = []
  const path: (string | number)[] = []
  /** One entry per open collection: an index for sequences, whether a key comes next for mappings. */
  const open: { index: number; key: boolean; mapping: boolean }[] = []

  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      if (open.pop() !== undefined) path.pop()
      continue
    }
    if (event.type === EVENT_ID.DOCUMENT) {
      for (const directive of event.directives) {
        if (directive.kind === 'tag') found.push({ kind: 'directive', text: '%TAG', path: [], offset: 0 })
      }
      continue
    }
    const parent = open.at(-1)
    const isKey = parent?.mapping === true && parent.key
    if (parent !== undefined) {
      if (!parent.mapping) path[path.length - 1] = parent.index++
      else if (isKey && event.type === EVENT_ID.SCALAR) path[path.length - 1] = keyText(event, text)
      if (parent.mapping) parent.key = !parent.key
    }
    report(event, text, [...path], isKey, found)
    if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING) {
      open.push({ index: 0, key: true, mapping: event.type === EVENT_ID.MAPPING })
      path.push('')
    }
  }
  return found
}

function report(
  event: Exclude<YamlEvent, { type: 1 | 6 }>,
  text: string,
  path: Path,
  isKey: boolean,
  found: Construct[],
): void {
  const { anchorStart, anchorEnd } = event
  if (event.type === EVENT_ID.ALIAS) {
    found.push({ kind: 'alias', text: `*${text.slice(anchorStart, anchorEnd)}`, path, offset: anchorStart - 1 })
    return
  }
  if (anchorStart >= 0) {
    found.push({ kind: 'anchor', text: `&${text.slice(anchorStart, anchorEnd)}`, path, offset: anchorStart - 1 })
  }
  if (event.tagStart >= 0) {
    const tag = text.slice(event.tagStart, event.tagEnd)
    if (!coreTags.has(tag)) found.push({ kind: 'tag', text: tag, path, offset: event.tagStart })
  }
  if (isKey && event.type === EVENT_ID.SCALAR && isMerge(event, text)) {
    found.push({ kind: 'merge key', text: '<<', path, offset: event.valueStart })
  }
}

function isMerge(event: YamlScalar, text: string): boolean {
  const { valueStart, valueEnd, style } = event
  return style === SCALAR_STYLE.PLAIN && valueEnd - valueStart === 2 && text.startsWith('<<', valueStart)
}

function keyText(event: YamlScalar, text: string): string {
  return event.valueStart < 0 ? '' : getScalarValue(text, event)
}
