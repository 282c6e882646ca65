/** Translates a document from a dialect to the OATF specification. Each translation is reported once. */
import {
  checkTree,
  type Diagnostic,
  formatPath,
  isList,
  isRecord,
  own,
  type Path,
  parsePath,
  type Source,
  type Value,
} from '@joust/source'
import { BAIT } from '../exposure/bait.ts'
import { PLACEBO } from '../exposure/placebo.ts'
import { TASK } from '../rules/task.ts'
import { type Edit, editTree, pathBefore, pathsAfter } from './edits.ts'
import { isVerbatim, type Places, placesIn } from './places.ts'
import { dialectTable } from './table.ts'
import type { Occurrence, TranslationRow } from './translation.ts'

/** Options for {@link translateDialects}. */
export interface TranslateOptions {
  /** Applies only the translation with this code. @default all translations */
  readonly only?: string
}

export interface RunTranslateOptions {
  /** Reports every translation without applying it. @default false */
  readonly strict?: boolean | undefined
}

/** A translated value, with a warning for each translation. */
export interface Translated {
  readonly value: Value
  /** The warnings, each at the first occurrence of the dialect. */
  readonly translations: readonly Diagnostic[]
}

/**
 * Applies all translations. A value that contains no dialects is returned unchanged.
 *
 * @example
 * const { value, translations } = translateDialects({ attack: { name: 'Mine' } })
 * for (const { path, message } of translations) console.log(path, message)
 */
export function translateDialects(value: Value, options: TranslateOptions = {}): Translated {
  const checked = checkTree(value)
  if (!checked.ok)
    return { value, translations: [{ severity: 'error', code: 'limit', message: checked.error, path: '' }] }
  const { value: translated, reports } = translateAll(value, options)
  return { value: translated, translations: reports.map(({ diagnostic }) => diagnostic) }
}

interface TranslatedSource {
  readonly source: Source
  readonly translations: readonly Diagnostic[]
}

/** Translates a parsed text. Findings have positions, and each path can be mapped to the path in the text. */
export function translateSource(source: Source): TranslatedSource {
  return withPositions(source, translateAll(source.value, {}))
}

/**
 * Translates a text for a run. Written values are replaced only if the document needs a reading. In that case, `unread`
 * is the document with its original indicators.
 */
export function translateForRun(
  source: Source,
  { strict = false }: RunTranslateOptions = {},
): TranslatedSource & { readonly unread?: Source } {
  const translated = translateAll(source.value, { asWritten: true, strict })
  const result = withPositions(source, translated)
  if (strict || !translated.isRead) return result
  const value = withIndicatorsOf(source.value, translated.value)
  return { ...result, unread: translatedSource(source, value, translated.writtenAt) }
}

function withIndicatorsOf(written: Value, translated: Value): Value {
  const [from, to] = [own(written, 'attack'), own(translated, 'attack')]
  if (!isRecord(translated) || !isRecord(to)) return translated
  const { indicators: _, correlation: __, ...rest } = to
  const judged = ['indicators', 'correlation'].flatMap((key) => {
    const value = own(from, key)
    return value === undefined ? [] : [[key, value] as const]
  })
  return { ...translated, attack: { ...rest, ...Object.fromEntries(judged) } }
}

function withPositions(source: Source, { value, reports, writtenAt }: Translation): TranslatedSource {
  return {
    source: value === source.value ? source : translatedSource(source, value, writtenAt),
    translations: reports.map(({ diagnostic, at, key }) => {
      return { ...diagnostic, ...(key ? source.locateKey(at) : source.locate(at)) }
    }),
  }
}

/** True for a warning about a translation. */
export function isTranslation({ code }: Pick<Diagnostic, 'code'>): boolean {
  return dialectTable.some((row) => row.code === code)
}

/** True for a warning about a written value that peers reject, even if that value is sent as written. */
export function isReplacement({ code }: Pick<Diagnostic, 'code'>): boolean {
  return dialectTable.some((row) => row.code === code && row.does === 'replaces')
}

type Way = (path: Path) => Path

interface Report {
  readonly diagnostic: Diagnostic
  readonly at: Path
  readonly key: boolean
}

interface Translation {
  readonly value: Value
  readonly reports: readonly Report[]
  readonly writtenAt: Way
  /** True if the translation replaced a term that the binding does not define. */
  readonly isRead: boolean
}

interface Extent extends TranslateOptions, RunTranslateOptions {
  /** Replaces written values only in a document that needs a reading. */
  readonly asWritten?: boolean
}

function translateAll(value: Value, { strict = false, only, asWritten = false }: Extent): Translation {
  const reports: Report[] = []
  const ways: Way[] = []
  const writtenAt: Way = (path) => ways.reduceRight((at, back) => back(at), path)
  let translated = value
  let places = placesIn(value)
  let isRead = false
  for (const row of dialectTable) {
    if (row.does !== 'reads' && isVerbatim(places)) continue
    if (only !== undefined && row.code !== only) continue
    const matches = row.find(places)
    if (matches.length === 0) continue
    isRead ||= row.does === 'reads' && matches.some(({ at }) => at[1] !== TASK)
    const changes = asWritten && !isRead ? matches.flatMap((place) => onlyFilled(row, place)) : matches
    for (const [first, count] of readingsOf(changes)) {
      const at = writtenAt(first.at)
      reports.push({ at, key: first.key === true, diagnostic: diagnosticOf(row, first, count, at, strict) })
    }
    const edits = changes.flatMap((place) => place.edits)
    if (edits.length === 0) continue
    const all = [...edits, ...baitEdits(places, edits), ...placeboEdits(places, edits)]
    translated = editTree(translated, all)
    ways.push(pathBefore(all))
    places = placesIn(translated)
  }
  // Later translations need the result of earlier ones, even if nothing is changed.
  return { value: strict ? value : translated, reports, writtenAt, isRead }
}

const FIX = '; run joust migrate to rewrite the document, or set x-joust-verbatim: true to send it as written'

/** Adds missing values, but only reports the written values that the row would replace. */
function onlyFilled(row: TranslationRow, { does = row.does, unchanged, filled, ...place }: Occurrence): Occurrence[] {
  if (does !== 'replaces') return [place]
  return [
    ...(filled === undefined ? [] : [{ at: place.at, ...filled }]),
    ...(unchanged === undefined ? [] : [{ ...place, message: `${unchanged}${FIX}`, edits: [] }]),
  ]
}

/** Returns the first occurrence of each reading, with the number of occurrences. */
function readingsOf(occurrences: readonly Occurrence[]): (readonly [Occurrence, number])[] {
  const firsts = new Map<string, readonly [Occurrence, number]>()
  for (const place of occurrences) {
    const [first, count] = firsts.get(place.message) ?? [place, 0]
    firsts.set(place.message, [first, count + 1])
  }
  return [...firsts.values()]
}

function diagnosticOf(
  { code, section }: TranslationRow,
  occurrence: Occurrence,
  count: number,
  at: Path,
  strict: boolean,
): Diagnostic {
  const more = count === 1 ? '' : `; ${count} occurrences`
  const unchanged = strict && occurrence.edits.length > 0 ? '; not translated' : ''
  const message = `${occurrence.message}${more}${unchanged}`
  return { severity: 'warning', code, spec_ref: section, message, path: formatPath(at) }
}

function baitEdits({ attack }: Places, edits: readonly Edit[]): Edit[] {
  const baits = own(attack, BAIT)
  if (!isList(baits)) return []
  const newPathsOf = pathsAfter(edits)
  let count = baits.length
  return baits.flatMap((bait, index): Edit[] => {
    const path = typeof bait === 'string' ? parsePath(bait) : undefined
    const [first, ...others] = path === undefined ? [] : newPathsOf(path)
    if (first === undefined || first === path) return []
    const from = ['attack', BAIT, index]
    const more = others.map((other): Edit => {
      count += 1
      return { op: 'set', path: ['attack', BAIT, count - 1], value: formatPath(other), from }
    })
    return [{ op: 'set', path: from, value: formatPath(first) }, ...more]
  })
}

function placeboEdits({ attack }: Places, edits: readonly Edit[]): Edit[] {
  const placebo = own(attack, PLACEBO)
  if (!isRecord(placebo)) return []
  const newPathsOf = pathsAfter(edits)
  return Object.entries(placebo).flatMap(([key, value]): Edit[] => {
    const path = parsePath(key)
    const places = path === undefined ? [] : newPathsOf(path)
    if (places.length === 0 || places[0] === path) return []
    const from = ['attack', PLACEBO, key]
    const moved = places.map(
      (place): Edit => ({ op: 'set', path: ['attack', PLACEBO, formatPath(place)], value, from }),
    )
    return [...moved, { op: 'remove', path: from }]
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
