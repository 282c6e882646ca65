/** The values that have reached the agent in a run. */
import { arenaLimits } from '../model/limits.ts'
import { reversed } from './decodings.ts'
import { isDistinctiveValue, SHORTEST_VALUE, type Span } from './distinctive.ts'
import type { Origin } from './origins.ts'
import { createPartIndex, SHORTEST_PART } from './part-index.ts'

export interface Value extends Origin {
  readonly seq: number
  readonly actor: string
}

/** Long values are found by their substrings, short ones only as whole words. */
export function createValueStore(onLimit: () => void) {
  const index = createPartIndex(onLimit)
  const userWriting = createUserTexts()
  const values: Value[] = []
  const texts = new Map<string, Set<string>>()
  let size = 0
  const short = createShortValues()
  return {
    /** Returns false if the store is full. */
    add(value: Value): boolean {
      const { text, name, kind, isPlanted } = value
      const origin = `${kind} ${name}`
      const same = texts.get(origin) ?? new Set()
      texts.set(origin, same)
      if (same.has(text)) return true
      if (size >= arenaLimits.flowTexts) return false
      // User messages are added word by word, so that none of their words is attributed to a tool.
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
    /** Omits definitions of the called tool, since its calls repeat them. */
    search(text: string, tool: string): ValueSearch {
      const { matches, mayBeReversed } = index.search(text)
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
    /** Adds matching values to the candidates. Returns true if the reversed text contains one. */
    search(text: string, isOther: (value: Value) => boolean, candidates: Candidate[]): boolean {
      if (values.size === 0 || !MARKED.test(text)) return false
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

export interface ValueSearch {
  readonly candidates: readonly Candidate[]
  /** True if the reversed text may contain more values. */
  readonly mayBeReversed: boolean
}

/**
 * A value that shares a substring with a text. `offset` is the difference between positions; undefined for a short
 * value.
 */
export interface Candidate extends Span {
  readonly value: Value
  readonly offset: number | undefined
}

/** Maximum number of origins of a short value; a more frequent value is not evidence. */
const MOST_SHORT = 5

const WORD = /[^\s"'<>()[\]{},;|=&?`]+/g
/** A short value without these characters is not evidence. */
const MARKED = /[\d@]/

/** User messages without case, spaces and hyphens. */
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
