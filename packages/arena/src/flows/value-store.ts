/** The values that have reached the agent in a run. */
import { arenaLimits } from '../model/limits.ts'
import { reversed } from './decodings.ts'
import { isDistinctiveValue, SHORTEST_PART, SHORTEST_VALUE, type Span } from './distinctive.ts'
import type { Origin } from './origins.ts'
import { createPartIndex } from './part-index.ts'

/** A value, and the message that brought it. */
export interface Value extends Origin {
  readonly seq: number
  readonly actor: string
}

/** Stores the values of a run: long values by their parts, short values whole. */
export function createValueStore(onLimit: () => void) {
  const index = createPartIndex(onLimit)
  const userWriting = createUserTexts()
  const values: Value[] = []
  const texts = new Map<string, Set<string>>()
  let size = 0
  const short = createShortValues()
  return {
    /** Adds a value; returns false if the store is full. */
    add(value: Value): boolean {
      const { text, name, kind, isPlanted } = value
      const origin = `${kind} ${name}`
      const same = texts.get(origin) ?? new Set()
      texts.set(origin, same)
      if (same.has(text)) return true
      if (size >= arenaLimits.flowTexts) return false
      // The user's texts count word by word, so that a word from the user is not attributed to a tool.
      if (kind === 'user') {
        userWriting.add(text)
        for (const [word] of text.matchAll(WORD)) short.add(word, value)
      }
      if (text.length < SHORTEST_PART) short.add(text, value)
      else if (index.add(text, values.length, isPlanted === true ? 'planted' : origin)) values.push(value)
      else return false
      same.add(text)
      size++
      return true
    },
    isFromUser: userWriting.has,
    /** Returns the values that share a part with a text, except text in the definition of the called tool. */
    search(text: string, tool: string): ValueSearch {
      const { matches, mayBeReversed } = index.search(text)
      if (matches.length === 0 && !mayBeReversed && short.isEmpty()) return NOTHING
      const isOther = ({ isDefinition, name }: Value) => !isDefinition || name !== tool
      const candidates: Candidate[] = []
      for (const { value: number, at, from, length } of matches) {
        const value = values[number]
        if (value !== undefined && isOther(value))
          candidates.push({ value, start: at, end: at + length, offset: at - from })
      }
      const hasReversed = short.search(text, isOther, candidates)
      return { candidates, mayBeReversed: mayBeReversed || hasReversed }
    },
  }
}

/** Stores values of a few characters, which count only as a whole. */
function createShortValues() {
  const values = new Map<string, Value[]>()
  const reversedValues = new Set<string>()
  const valuesOf = (word: string): readonly Value[] => {
    if (word.length < SHORTEST_VALUE || word.length >= SHORTEST_PART) return []
    const same = values.get(word) ?? []
    return same.length < MOST_SHORT ? same : same.filter(({ kind }) => kind === 'user')
  }
  return {
    add(text: string, value: Value): void {
      if (text.length < SHORTEST_VALUE || text.length >= SHORTEST_PART || !isDistinctiveValue(text)) return
      const same = values.get(text)
      if (same === undefined) {
        values.set(text, [value])
        reversedValues.add(reversed(text))
      } else if (same.length < MOST_SHORT && !same.some((one) => one.kind === value.kind && one.name === value.name))
        same.push(value)
    },
    isEmpty: () => values.size === 0,
    /** Adds the values that are words in a text to the candidates; true if the reversed text has such a value. */
    search(text: string, isOther: (value: Value) => boolean, candidates: Candidate[]): boolean {
      if (!MARKED.test(text)) return false
      let hasReversed = false
      for (const { 0: word, index: start } of text.matchAll(WORD)) {
        for (const value of valuesOf(word).filter(isOther))
          candidates.push({ value, start, end: start + word.length, offset: undefined })
        hasReversed ||= reversedValues.has(word) && valuesOf(reversed(word)).length > 0
      }
      return hasReversed
    },
  }
}

/** The values in a text. */
export interface ValueSearch {
  readonly candidates: readonly Candidate[]
  /** True if the reversed text may have more values. */
  readonly mayBeReversed: boolean
}

const NOTHING: ValueSearch = { candidates: [], mayBeReversed: false }

/** A value that shares a part with a text. `offset` is the difference of positions; undefined for a short value. */
export interface Candidate extends Span {
  readonly value: Value
  readonly offset: number | undefined
}

/** Maximum number of origins of a short value; a value with more origins is not evidence. */
const MOST_SHORT = 5

const WORD = /[^\s"'<>()[\]{},;|=&?`]+/g
/** A short value without these characters is not evidence. */
const MARKED = /[\d@]/

/** Stores the user's texts for comparisons that ignore case, spaces and hyphens. */
function createUserTexts() {
  const fold = (text: string) => text.toLowerCase().replaceAll(/[\s-]+/g, '')
  const texts: string[] = []
  let room: number = arenaLimits.flowOwn
  return {
    add(text: string): void {
      room -= text.length
      if (room >= 0) texts.push(fold(text))
    },
    has(text: string): boolean {
      const folded = fold(text)
      return texts.some((one) => one.includes(folded))
    },
  }
}
