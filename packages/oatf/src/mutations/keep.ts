import { isList, isRecord, own, ownText, type Value } from '@joust/source'
import { literalsOf } from '../exposure/guess.ts'
import type { Planted } from '../exposure/planted.ts'
import type { Walk } from '../walk/walk.ts'

/** Minimum word length; shorter words are too common. */
const LEAST = 3

/** Returns the words in indicators and the names of tools and parameters. */
export function keptWords(walk: Walk, planted: readonly Planted[]): string[] {
  const owners = planted.flatMap(({ owner }) => owner ?? [])
  const words = [...literalsOf(walk), ...owners, ...namesIn(walk.document)].filter((word) => word.length >= LEAST)
  return [...new Set(words)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
}

function namesIn(document: Value): string[] {
  const names: string[] = []
  const pending: Value[] = [document]
  for (let here = pending.pop(); here !== undefined; here = pending.pop()) {
    if (isList(here)) pending.push(...here)
    else if (isRecord(here)) {
      const tools = own(here, 'tools')
      if (isList(tools)) names.push(...tools.flatMap((tool) => ownText(tool, 'name') ?? []))
      pending.push(...Object.values(here))
    }
  }
  return names
}

interface TextSegment {
  readonly text: string
  readonly kept: boolean
}

/** Templates, quotations, and words that are not prose: addresses, paths, identifiers, numbers. */
const FIXED = /\{\{[^{}]*\}\}|`[^`\n]{1,200}`|"[^"\n]{1,200}"|\S*[\d_@/\\=<>{}#:]\S*|\S+\.\S+|\S*[a-z][A-Z]\S*/g

/** Splits a text into segments that may change and segments that must not. */
export function segmentsOf(text: string, words: readonly string[]): TextSegment[] {
  const marks = new Uint8Array(text.length)
  for (const match of text.matchAll(FIXED)) marks.fill(1, match.index, match.index + match[0].length)
  const lower = text.toLowerCase()
  for (const word of words) {
    const sought = word.toLowerCase()
    for (let at = lower.indexOf(sought); at >= 0; at = lower.indexOf(sought, at + sought.length))
      marks.fill(1, at, at + sought.length)
  }
  const stretches: TextSegment[] = []
  let from = 0
  for (let at = 1; at <= text.length; at++) {
    if (at < text.length && marks[at] === marks[from]) continue
    stretches.push({ text: text.slice(from, at), kept: marks[from] === 1 })
    from = at
  }
  return stretches
}

/** True if a text contains one of the words. */
export function containsWord(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase()
  return words.some((word) => lower.includes(word.toLowerCase()))
}
