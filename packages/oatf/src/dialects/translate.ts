/**
 * Reads a document in a dialect as the specification would have it: every translation in turn, each one reported once.
 */
import { type Diagnostic, formatPath, isList, own, type Path, type Source, treeFault, type Value } from '@joust/source'
import { BAIT, parsePath } from '../exposure/bait.ts'
import { type Edit, editTree, wayBack, wayOn } from './edits.ts'
import { isVerbatim, type Places, placesIn } from './places.ts'
import { dialectTable } from './table.ts'
import type { Found, TranslationRow } from './translation.ts'

/** How a document is translated. */
export interface TranslateOptions {
  /** Find what would be translated, and leave it as it is. */
  readonly strict?: boolean | undefined
  /** The code of the one translation to make. */
  readonly only?: string
}

/** A value as the specification has it. */
export interface Translated {
  readonly value: Value
  /** A warning for each reading that was made, or with `strict` would be, at its first place as written. */
  readonly translations: readonly Diagnostic[]
}

/** Translates the plain value of a document; one that speaks no dialect is given back as it is. */
export function translateDialects(value: Value, options: TranslateOptions = {}): Translated {
  const fault = treeFault(value)
  if (fault !== undefined)
    return { value, translations: [{ severity: 'error', code: 'limit', message: fault, path: '' }] }
  const { value: translated, told } = translateAll(value, options)
  return { value: translated, translations: told.map(({ diagnostic }) => diagnostic) }
}

/** The same for a text that was read: findings have positions, and every path leads to where its value was written. */
export function translateSource(
  source: Source,
  options: TranslateOptions = {},
): { readonly source: Source; readonly translations: readonly Diagnostic[] } {
  const { value, told, writtenAt } = translateAll(source.value, options)
  return {
    source: value === source.value ? source : translatedSource(source, value, writtenAt),
    translations: told.map(({ diagnostic, at, key }) => {
      return { ...diagnostic, ...(key ? source.locateKey(at) : source.locate(at)) }
    }),
  }
}

type Way = (path: Path) => Path

interface Told {
  readonly diagnostic: Diagnostic
  readonly at: Path
  readonly key: boolean
}

function translateAll(value: Value, { strict = false, only }: TranslateOptions) {
  const told: Told[] = []
  const ways: Way[] = []
  const writtenAt: Way = (path) => ways.reduceRight((at, back) => back(at), path)
  let translated = value
  let places = placesIn(value)
  for (const row of dialectTable) {
    if (row.repairs === 'wire' && isVerbatim(places)) continue
    if (only !== undefined && row.code !== only) continue
    const found = row.find(places)
    if (found.length === 0) continue
    for (const [first, count] of readingsOf(found)) {
      const at = writtenAt(first.at)
      told.push({ at, key: first.key === true, diagnostic: diagnosticOf(row, first, count, at, strict) })
    }
    const edits = found.flatMap((place) => place.edits)
    const all = [...edits, ...baitEdits(places, edits)]
    translated = editTree(translated, all)
    ways.push(wayBack(all))
    places = placesIn(translated)
  }
  // Even where nothing is to be changed, later translations have to see what earlier ones would make.
  return { value: strict ? value : translated, told, writtenAt }
}

/** The first place of each reading, and how many there are. */
function readingsOf(found: readonly Found[]): (readonly [Found, number])[] {
  const firsts = new Map<string, readonly [Found, number]>()
  for (const place of found) {
    const [first, count] = firsts.get(place.message) ?? [place, 0]
    firsts.set(place.message, [first, count + 1])
  }
  return [...firsts.values()]
}

function diagnosticOf(row: TranslationRow, found: Found, count: number, at: Path, strict: boolean): Diagnostic {
  const more = count === 1 ? '' : `; ${count} places like it`
  const left = strict ? '; left as written' : ''
  const { code, section } = row
  return {
    severity: 'warning',
    code,
    spec_ref: section,
    message: `${found.message}${more}${left}`,
    path: formatPath(at),
  }
}

/** A bait that is named by the path of something that moves gets the new path, or all of its new paths. */
function baitEdits({ attack }: Places, edits: readonly Edit[]): Edit[] {
  const baits = own(attack, BAIT)
  if (!isList(baits)) return []
  const onward = wayOn(edits)
  let count = baits.length
  return baits.flatMap((bait, index): Edit[] => {
    const path = typeof bait === 'string' ? parsePath(bait) : undefined
    const [first, ...others] = path === undefined ? [] : onward(path)
    if (first === undefined || first === path) return []
    const from = ['attack', BAIT, index]
    const more = others.map((other): Edit => {
      count += 1
      return { op: 'set', path: ['attack', BAIT, count - 1], value: formatPath(other), from }
    })
    return [{ op: 'set', path: from, value: formatPath(first) }, ...more]
  })
}

function translatedSource(source: Source, value: Value, writtenAt: Way): Source {
  return {
    text: source.text,
    value,
    locate: (path) => source.locate(writtenAt(path)),
    locateKey: (path) => source.locateKey(writtenAt(path)),
    position: (offset) => source.position(offset),
    constructs: () => source.constructs(),
    comments: () => source.comments(),
  }
}
