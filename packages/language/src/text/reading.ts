/** A text with its entries: exact where it can be read, by its indentation where it cannot yet. */
import { defaultLimits, isList, openSource, type Path, type Source, setOwn, type Value, valueAt } from '@joust/source'
import { type Entry, exactEntries } from './entry.ts'
import { languageLimits } from './limits.ts'
import { scanBlocks } from './scan-blocks.ts'

/** What is known about a text. */
export interface Reading {
  readonly text: string
  /** In the order of the text. */
  readonly entries: readonly Entry[]
  /** What the text says; for one that is not YAML yet, as far as its lines tell. */
  readonly value: Value
  /** The whole document, when it is one. */
  readonly source?: Source
}

/** Reads a text, whatever state it is in. */
export function readText(text: string): Reading {
  const source = openSource(text, defaultLimits)
  if (!source.ok) return recovered(text)
  const { value } = source.value
  let entries: readonly Entry[] | undefined
  return {
    text,
    get entries() {
      entries ??= exactEntries(source.value.outline(), text)
      return entries
    },
    value,
    source: source.value,
  }
}

function recovered(text: string): Reading {
  const entries = text.length > languageLimits.brokenCharacters ? [] : scanBlocks(text)
  return { text, entries, value: builtFrom(entries) }
}

/** The text at a path, or undefined. */
export function textAt(value: Value, path: Path): string | undefined {
  const found = valueAt(value, path)
  return typeof found === 'string' ? found : undefined
}

/** The items of the list at a path; none where there is no list. */
export function itemsAt(value: Value, path: Path): readonly Value[] {
  const found = valueAt(value, path)
  return isList(found) ? found : []
}

type Draft = Value[] | { [key: string]: Value }

function builtFrom(entries: readonly Entry[]): Value {
  const root: { [key: string]: Value } = { document: null }
  for (const { path, text } of entries) {
    let at: Draft = root
    let key: string | number = 'document'
    for (const step of path) {
      at = containerIn(at, key, typeof step === 'number')
      key = step
    }
    put(at, key, scalarOf(text))
  }
  return root.document ?? null
}

/** The list or mapping under a key; created where there is none of that kind yet. */
function containerIn(parent: Draft, key: string | number, isListed: boolean): Draft {
  const known = valueAt(parent, [key])
  // Everything in a draft was made here.
  if (typeof known === 'object' && known !== null && isList(known) === isListed) return known as Draft
  const made: Draft = isListed ? [] : {}
  put(parent, key, made)
  return made
}

function put(parent: Draft, key: string | number, value: Value): void {
  if (Array.isArray(parent)) parent[Number(key)] = value
  else setOwn(parent, String(key), value)
}

function scalarOf(text: string | undefined): Value {
  if (text === undefined || text === '' || text === '~' || text === 'null') return null
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(text) ? Number(text) : text
}
