/**
 * The cursor position in incomplete documents: lines of real documents are truncated, and correct results are counted.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lineStart, type Path } from '@joust/source'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../../../scripts/repository.ts'
import { type Entry, startsWith } from '../../src/text/entry.ts'
import { placeAt } from '../../src/text/place.ts'
import { type Reading, readText } from '../../src/text/reading.ts'

const CUTS = 300

/** A document with one truncated line, two offsets in it, and their paths in the complete document. */
interface Cut {
  readonly text: string
  readonly here: Expected
  /** The end of another, complete line. */
  readonly elsewhere: Expected
}

interface Expected {
  readonly at: number
  readonly path: Path
}

const root = repositoryRoot()
const texts = [...filesBelow('library', '.oatf.yaml'), ...filesBelow('examples/agents', '.agf.yaml')]

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))
}

/** Entries with a key on a line of their own. */
function linesOf(text: string): (Entry & { readonly end: number })[] {
  const { entries } = readText(text)
  const keyed = entries.filter(({ key }) => key !== undefined)
  const byLine = new Map<number, Entry[]>()
  for (const entry of keyed) {
    const line = lineStart(text, entry.start)
    byLine.set(line, [...(byLine.get(line) ?? []), entry])
  }
  return [...byLine.values()].flatMap(([only, ...others]) => {
    if (only === undefined || others.length > 0) return []
    const feed = text.indexOf('\n', only.start)
    return [{ ...only, end: feed < 0 ? text.length : feed }]
  })
}

const lines = texts.map((text) => ({ text, own: linesOf(text), whole: readText(text) }))

function cutAt([document, line, other, far]: readonly [number, number, number, number]): Cut[] {
  const { text, own, whole } = lines[document % lines.length] ?? { text: '', own: [], whole: readText('') }
  const entry = own[line % own.length]
  const another = own[other % own.length]
  if (entry?.key === undefined || another === undefined || startsWith(another.path, entry.path)) return []
  const at = entry.key.start + 1 + (far % (entry.end - entry.key.start))
  const shift = another.end > entry.end ? entry.end - at : 0
  return [
    {
      text: text.slice(0, at) + text.slice(entry.end),
      here: { at, path: placeAt(whole, at).path },
      elsewhere: { at: another.end - shift, path: placeAt(whole, another.end).path },
    },
  ]
}

function isKnown(reading: Reading, { at, path }: Expected): boolean {
  return JSON.stringify(placeAt(reading, at).path) === JSON.stringify(path)
}

test('the position of a cursor is known in a truncated line and in the lines beside it', () => {
  const numbers = fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat())
  const cuts = fc.sample(numbers, { numRuns: CUTS, seed: 7 }).flatMap(cutAt)
  expect(cuts.length).toBeGreaterThan(CUTS * 0.8)
  const counts = { readable: 0, here: 0, elsewhere: 0 }
  for (const { text, here, elsewhere } of cuts) {
    const reading = readText(text)
    if (reading.source !== undefined) counts.readable++
    if (isKnown(reading, here)) counts.here++
    if (isKnown(reading, elsewhere)) counts.elsewhere++
  }
  // Most of these are no longer YAML.
  expect(counts.readable / cuts.length).toBeLessThan(0.6)
  expect(counts.here / cuts.length).toBeGreaterThan(0.99)
  expect(counts.elsewhere / cuts.length).toBeGreaterThan(0.99)
})
