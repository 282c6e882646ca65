/** Parses a text exactly if it is valid YAML, otherwise by indentation. */
import { defaultLimits, isList, openSource, type Path, type Source, setOwn, type Value, valueAt } from '@joust/source'
import { type Entry, exactEntries } from './entry.ts'
import { languageLimits } from './limits.ts'
import { scanBlocks } from './scan-blocks.ts'

export interface Reading {
  readonly text: string
  readonly entries: readonly Entry[]
  /** Reconstructed from the lines if the YAML is invalid. */
  readonly value: Value
  /** Absent for invalid YAML. */
  readonly source?: Source
}

export function readText(text: string): Reading {
  const source = openSource(text, defaultLimits)
  if (!source.ok) return recover(text)
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

function recover(text: string): Reading {
  const entries = text.length > languageLimits.brokenCharacters ? [] : scanBlocks(text)
  return { text, entries, value: reconstruct(entries) }
}

export function textAt(value: Value, path: Path): string | undefined {
  const target = valueAt(value, path)
  return typeof target === 'string' ? target : undefined
}

export function itemsAt(value: Value, path: Path): readonly Value[] {
  const target = valueAt(value, path)
  return isList(target) ? target : []
}

type Draft = Value[] | { [key: string]: Value }

function reconstruct(entries: readonly Entry[]): Value {
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

function containerIn(parent: Draft, key: string | number, isListed: boolean): Draft {
  const existing = valueAt(parent, [key])
  // All collections in a draft are mutable.
  if (typeof existing === 'object' && existing !== null && isList(existing) === isListed) return existing as Draft
  const container: Draft = isListed ? [] : {}
  put(parent, key, container)
  return container
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
