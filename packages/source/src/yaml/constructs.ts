import type { Path } from '../model/path.ts'
import type { Construct } from '../model/source.ts'
import { EVENT_ID, readKeys, SCALAR_STYLE, type YamlEvent, type YamlScalar } from './yaml.ts'

type Node = Exclude<YamlEvent, { type: typeof EVENT_ID.DOCUMENT | typeof EVENT_ID.POP }>

/** An open collection with its next index. For a mapping, also its keys and whether a key is next. */
interface Open {
  index: number
  readonly keys: readonly string[] | undefined
  key: boolean
}

const coreTags = {
  [EVENT_ID.SCALAR]: /^!(?:!|<tag:yaml\.org,2002:)(?:str|int|float|bool|null)>?$/,
  [EVENT_ID.SEQUENCE]: /^!(?:!|<tag:yaml\.org,2002:)seq>?$/,
  [EVENT_ID.MAPPING]: /^!(?:!|<tag:yaml\.org,2002:)map>?$/,
}

/** Finds all constructs in a document with their paths, in document order. */
export function findConstructs(events: YamlEvent[], text: string): Construct[] {
  const constructs: Construct[] = []
  const keyLists = readKeys(events, text)
  let mappings = 0
  const path: (string | number)[] = []
  const open: Open[] = []

  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      if (open.pop() !== undefined) path.pop()
      continue
    }
    if (event.type === EVENT_ID.DOCUMENT) {
      for (const offset of tagDirectives(text, event.directives.filter(({ kind }) => kind === 'tag').length))
        constructs.push({ kind: 'directive', text: '%TAG', path: [], offset })
      continue
    }
    const isKey = enterPart(open.at(-1), path)
    collect(event, text, path, isKey, constructs)
    if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING) {
      const keys = event.type === EVENT_ID.MAPPING ? (keyLists[mappings++] ?? []) : undefined
      open.push({ index: 0, keys, key: keys !== undefined })
      path.push('')
    }
  }
  return constructs.sort((a, b) => a.offset - b.offset)
}

/** Moves the path to the next element of a collection; true for a key. */
function enterPart(parent: Open | undefined, path: (string | number)[]): boolean {
  if (parent === undefined) return false
  const { keys, key } = parent
  if (keys === undefined) path[path.length - 1] = parent.index++
  else if (key) path[path.length - 1] = keys[parent.index++] ?? ''
  parent.key = keys !== undefined && !key
  return key
}

function collect(event: Node, text: string, at: Path, isKey: boolean, constructs: Construct[]): void {
  const { anchorStart, anchorEnd } = event
  const add = (kind: Construct['kind'], spelled: string, offset: number): void => {
    constructs.push({ kind, text: spelled, path: [...at], offset })
  }
  if (event.type === EVENT_ID.ALIAS) {
    add('alias', `*${text.slice(anchorStart, anchorEnd)}`, anchorStart - 1)
    return
  }
  if (anchorStart >= 0) add('anchor', `&${text.slice(anchorStart, anchorEnd)}`, anchorStart - 1)
  if (event.tagStart >= 0) {
    const tag = text.slice(event.tagStart, event.tagEnd)
    if (!coreTags[event.type].test(tag)) add('tag', tag, event.tagStart)
  }
  if (isKey && event.type === EVENT_ID.SCALAR && isMerge(event, text)) add('merge key', '<<', event.valueStart)
}

/** True for a plain `<<`. A `<<` with quotes or a tag is an ordinary string. */
function isMerge(event: YamlScalar, text: string): boolean {
  const { valueStart, valueEnd, style, tagStart } = event
  return (
    style === SCALAR_STYLE.PLAIN && tagStart < 0 && valueEnd - valueStart === 2 && text.startsWith('<<', valueStart)
  )
}

/** Returns the offsets of tag directives. No other line before the document starts with `%TAG`. */
function tagDirectives(text: string, count: number): number[] {
  const offsets: number[] = []
  const directive = /(?:^|[\r\n])\ufeff?%TAG(?=[ \t])/g
  while (offsets.length < count && directive.exec(text) !== null) offsets.push(directive.lastIndex - '%TAG'.length)
  return offsets
}
