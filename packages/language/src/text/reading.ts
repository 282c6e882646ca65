/** A text with its entries: exact where it can be read, by its indentation where it cannot yet. */
import {
  defaultLimits,
  isList,
  isRecord,
  openSource,
  own,
  type Path,
  type Source,
  setOwn,
  type Value,
} from '@joust/source'
import type { Entry } from './entry.ts'
import { exactEntries } from './exact-entries.ts'
import { languageLimits } from './limits.ts'
import { scanBlocks } from './scan-blocks.ts'

/** What is known about a text. */
export interface Reading {
  readonly text: string
  /** In the order of the text. */
  readonly entries: readonly Entry[]
  /** What the text says; of one that is not YAML yet, as far as its lines tell. */
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

/** The value at a path. */
export function valueAt(value: Value, path: Path): Value | undefined {
  let at: Value | undefined = value
  for (const step of path) {
    if (typeof step === 'number') at = isList(at) ? at[step] : undefined
    else at = isRecord(at) ? own(at, step) : undefined
    if (at === undefined) return undefined
  }
  return at
}

/** The text at a path, or undefined. */
export function textAt(value: Value, path: Path): string | undefined {
  const found = valueAt(value, path)
  return typeof found === 'string' ? found : undefined
}

type Draft = Value[] | { [key: string]: Value }

function builtFrom(entries: readonly Entry[]): Value {
  const root: { value: Value } = { value: null }
  const at = new Map<string, Draft>()
  for (const { path, text } of entries) {
    const parent = containerOf(path.slice(0, -1), path.at(-1), root, at)
    const key = path.at(-1)
    if (Array.isArray(parent)) parent[Number(key)] = scalarOf(text)
    else setOwn(parent, String(key), scalarOf(text))
  }
  return root.value
}

/** The list or mapping at a path; made when something is found below it. */
function containerOf(
  path: Path,
  key: string | number | undefined,
  root: { value: Value },
  at: Map<string, Draft>,
): Draft {
  const name = JSON.stringify(path)
  const known = at.get(name)
  if (known !== undefined && Array.isArray(known) === (typeof key === 'number')) return known
  const made: Draft = typeof key === 'number' ? [] : {}
  at.set(name, made)
  if (path.length === 0) root.value = made
  else {
    const above = containerOf(path.slice(0, -1), path.at(-1), root, at)
    if (Array.isArray(above)) above[Number(path.at(-1))] = made
    else setOwn(above, String(path.at(-1)), made)
  }
  return made
}

function scalarOf(text: string | undefined): Value {
  if (text === undefined || text === '' || text === '~' || text === 'null') return null
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(text) ? Number(text) : text
}
