/**
 * Follows values through a run: each text that reaches the agent, and the arguments of later calls that contain it or a
 * distinctive part of it.
 */
import type { LoadedAttack } from '@joust/oatf'
import type { Flow, FlowEncoding, TraceEntry } from '@joust/results'
import { cut } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import { callIn, type FlowCall } from './calls.ts'
import { type Decoding, decodingsOf, reversed } from './decodings.ts'
import { evidenceIn, isDistinctive, isDistinctiveValue, SHORTEST_VALUE, type Span } from './distinctive.ts'
import { createOrigins, type Origin } from './origins.ts'
import { createPartIndex, SHORTEST_PART } from './part-index.ts'

/** The flows of a run in progress. */
interface FlowWatch {
  /** Receives the next entry; returns the flows into it if it is a call. */
  take(entry: TraceEntry): readonly Flow[]
  /** All distinct flows so far. */
  all(): readonly Flow[]
  /** True once a limit was exceeded; then a missing flow proves nothing. */
  isIncomplete(): boolean
}

/** A value, and the message that brought it. */
interface Value extends Origin {
  readonly seq: number
  readonly actor: string
}

/** A value found in a text. */
interface Finding extends Span {
  readonly value: Value
  readonly text: string
}

/** Starts to follow the values of a run. `userTexts` are the user's texts outside the messages. */
export function createFlowWatch(attack: LoadedAttack, userTexts: readonly string[] = []): FlowWatch {
  let isFull = false
  const onLimit = () => {
    isFull = true
  }
  const originsOf = createOrigins(attack, onLimit)
  const store = createStore(onLimit)
  const flows = createFlowList()
  const written = createWritten()
  const keep = (value: Value) => {
    isFull = !store.add(value) || isFull
  }
  for (const text of userTexts) keep({ text, kind: 'user', name: 'user', seq: 0, actor: '', isDefinition: false })
  return {
    take(entry) {
      for (const origin of originsOf(entry)) keep({ ...origin, seq: entry.seq, actor: entry.actor })
      const call = callIn(entry, onLimit)
      if (call === undefined) return []
      const matches = flowsInto(call, entry, { store, written, onLimit })
      for (const flow of matches) isFull = !flows.add(flow) || isFull
      written.add(call, entry.seq)
      return matches
    },
    all: flows.all,
    isIncomplete: () => isFull,
  }
}

interface Known {
  readonly store: ReturnType<typeof createStore>
  readonly written: ReturnType<typeof createWritten>
  readonly onLimit: () => void
}

/** Stores the values of a run: long ones by their parts, short ones whole. */
function createStore(onLimit: () => void) {
  const index = createPartIndex(onLimit)
  const userWriting = createUserTexts()
  const values: Value[] = []
  const texts = new Set<string>()
  const short = new Map<string, Value[]>()
  const reversedShort = new Set<string>()
  const addShort = (text: string, value: Value) => {
    if (text.length < SHORTEST_VALUE || text.length >= SHORTEST_PART || !isDistinctiveValue(text)) return
    const same = short.get(text)
    if (same === undefined) {
      short.set(text, [value])
      reversedShort.add(reversed(text))
    } else if (same.length < MOST_SHORT && !same.some((one) => one.kind === value.kind && one.name === value.name))
      same.push(value)
  }
  const shortValues = (word: string): readonly Value[] => {
    if (word.length < SHORTEST_VALUE || word.length >= SHORTEST_PART) return []
    const same = short.get(word) ?? []
    return same.length < MOST_SHORT ? same : same.filter(({ kind }) => kind === 'user')
  }
  return {
    /** Stores a value; returns false once the store is full. */
    add(value: Value): boolean {
      const { text, name, kind, isPlanted } = value
      const key = `${kind} ${name} ${text}`
      if (texts.has(key)) return true
      if (texts.size >= arenaLimits.flowTexts) return false
      // The user's texts count word by word, so that a word of them is not attributed to a tool.
      if (kind === 'user') {
        userWriting.add(text)
        for (const [word] of text.matchAll(WORD)) addShort(word, value)
      }
      if (text.length < SHORTEST_PART) addShort(text, value)
      else if (index.add(text, values.length, isPlanted === true ? 'planted' : `${kind} ${name}`)) values.push(value)
      else return false
      texts.add(key)
      return true
    },
    isFromUser: userWriting.has,
    mayBeReversed(text: string): boolean {
      if (index.mayBeReversed(text)) return true
      if (short.size === 0 || !MARKED.test(text)) return false
      const words = text.match(WORD) ?? []
      return words.some((word) => reversedShort.has(word) && shortValues(reversed(word)).length > 0)
    },
    /** The values that share a part with a text, except definitions of the called tool. */
    find(text: string, tool: string): Candidate[] {
      const isOther = ({ isDefinition, name }: Value) => !isDefinition || name !== tool
      const parts = index.find(text).flatMap(({ value: number, at, from, length }): Candidate[] => {
        const value = values[number]
        return value === undefined || !isOther(value) ? [] : [{ value, start: at, end: at + length, offset: at - from }]
      })
      if (short.size === 0 || !MARKED.test(text)) return parts
      for (const { 0: word, index: start } of text.matchAll(WORD))
        for (const value of shortValues(word).filter(isOther))
          parts.push({ value, start, end: start + word.length, offset: undefined })
      return parts
    },
  }
}

/** A value that shares a part with a text. `offset` is the difference of the positions; absent for a short value. */
interface Candidate extends Span {
  readonly value: Value
  readonly offset: number | undefined
}

/** Maximum number of origins of a short value; a more frequent one is not evidence. */
const MOST_SHORT = 5

const WORD = /[^\s"'<>()[\]{},;|=&?`]+/g
/** Characters, at least one of which a short value must contain to be evidence. */
const MARKED = /[\d@]/

/** The flows into a call: found in one argument, or in several of them together. */
function flowsInto(call: FlowCall, { seq, actor }: TraceEntry, known: Known): Flow[] {
  const { store, onLimit } = known
  const best = new Map<string, Flow>()
  const add = (finding: Finding, argument: string, encodings: readonly FlowEncoding[], isSplit: boolean) => {
    const { kind, name, seq: origin, actor: source, text } = finding.value
    const key = `${argument}\n${kind}\n${name}`
    // The longest text counts, and of equal ones that with the fewest encodings.
    if ((best.get(key)?.text.length ?? 0) >= Math.min(finding.text.length, arenaLimits.flowText)) return
    best.set(key, {
      kind,
      from: { seq: origin, actor: source, name },
      to: { seq, actor, name: call.name, argument },
      ...(encodings.length > 0 && { encodings }),
      extent: isSplit ? 'split' : finding.text.trim() === text.trim() ? 'whole' : 'part',
      text: cut(finding.text, arenaLimits.flowText),
    })
  }
  for (const { path, text } of call.arguments)
    for (const decoding of decodingsOf(text, store.mayBeReversed, onLimit))
      for (const finding of decisive(decoding.text, store.find(decoding.text, call.name), known))
        add(finding, path, decoding.encodings, false)
  const alone = new Set([...best.values()].map(({ kind, from }) => `${kind}\n${from.name}`))
  const { text, places } = joined(call)
  if (places.length < 2) return [...best.values()]
  for (const decoding of decodingsOf(text, store.mayBeReversed, onLimit))
    for (const finding of decisive(decoding.text, store.find(decoding.text, call.name), known)) {
      const paths = pathsIn(places, decoding, finding)
      const isNew = !alone.has(`${finding.value.kind}\n${finding.value.name}`)
      if (isNew && paths.length > 1) add(finding, paths.join(', '), decoding.encodings, true)
    }
  return [...best.values()]
}

/**
 * The values that a text certainly comes from: not given by the user, not written by the agent before they arrived, and
 * of overlapping values only the longest and earliest.
 */
function decisive(text: string, candidates: readonly Candidate[], { store, written }: Known): Finding[] {
  if (candidates.length === 0) return []
  const ranked = [...candidates].sort(byRank)
  const chosen: Finding[] = []
  /** Ranges of longer candidates; a candidate within one adds no evidence. */
  const considered: Span[] = []
  for (const candidate of ranked) {
    if (considered.some((span) => isWithin(candidate, span))) continue
    considered.push(candidate)
    const finding = findingOf(text, candidate)
    if (finding === undefined || isExplained(finding, chosen)) continue
    const { kind, seq } = finding.value
    if (kind === 'user' || !(store.isFromUser(finding.text) || written.hasBefore(finding.text, seq)))
      chosen.push(finding)
  }
  return chosen
}

function byRank(one: Candidate, other: Candidate): number {
  const byUser = Number(other.value.kind === 'user') - Number(one.value.kind === 'user')
  return byUser || other.end - other.start - (one.end - one.start) || one.value.seq - other.value.seq
}

const isWithin = (inner: Span, outer: Span) => inner.start >= outer.start && inner.end <= outer.end

function findingOf(text: string, { start, end, value, offset }: Candidate): Finding | undefined {
  const span = offset === undefined ? { start, end } : evidenceIn(text, { start, end }, value.text, offset)
  return span && { ...span, value, text: text.slice(span.start, span.end) }
}

/** True for a finding without evidence beyond the parts that other findings cover. */
function isExplained({ start, end, text }: Finding, others: readonly Span[]): boolean {
  let rest: readonly Span[] = [{ start, end }]
  for (const other of others) rest = rest.flatMap((span) => without(span, other))
  if (rest.length === 1 && rest[0]?.start === start && rest[0].end === end) return false
  const pieces = rest.map((span) => text.slice(span.start - start, span.end - start).trim())
  return !pieces.some((piece) => piece.length >= SHORTEST_PART && isDistinctive(piece))
}

function without(span: Span, other: Span): Span[] {
  if (other.end <= span.start || other.start >= span.end) return [span]
  return [
    { start: span.start, end: other.start },
    { start: other.end, end: span.end },
  ].filter(({ start, end }) => start < end)
}

/** The minimum length of a piece of a value that is split over arguments. */
const SHORTEST_PIECE = 4

interface Joined {
  readonly text: string
  readonly places: readonly (Span & { readonly path: string })[]
}

function joined(call: FlowCall): Joined {
  const places: (Span & { readonly path: string })[] = []
  let text = ''
  for (const one of call.arguments.filter(({ isText, text }) => isText && text.length >= SHORTEST_PIECE)) {
    places.push({ path: one.path, start: text.length, end: text.length + one.text.length })
    text += one.text
  }
  return { text, places }
}

/** The arguments that a finding in the joined text overlaps. */
function pathsIn(places: Joined['places'], decoding: Decoding, finding: Finding) {
  const isPlain = decoding.encodings.length === 0
  const { start, end } = isPlain ? finding : decoding
  return places.filter((place) => place.start < end && place.end > start).map(({ path }) => path)
}

/** The user's texts in lower case, without spaces and hyphens. */
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

/** The arguments that the agent has written so far. */
function createWritten() {
  const texts: { readonly text: string; readonly seq: number }[] = []
  const answers = new Map<string, boolean>()
  let room: number = arenaLimits.flowOwn
  return {
    add(call: FlowCall, seq: number): void {
      for (const { text } of call.arguments) {
        room -= text.length
        if (room >= 0) texts.push({ text, seq })
      }
    },
    /** True if the agent wrote a text before a message. */
    hasBefore(text: string, seq: number): boolean {
      const key = `${seq} ${text}`
      const answer = answers.get(key)
      if (answer !== undefined || answers.size >= arenaLimits.flowMemory) return answer ?? false
      const isWritten = texts.some((one) => one.seq < seq && one.text.includes(text))
      answers.set(key, isWritten)
      return isWritten
    },
  }
}

/** A list of distinct flows with their numbers of occurrences. */
function createFlowList() {
  const flows = new Map<string, Flow>()
  return {
    /** Adds a flow; returns false if it was omitted because of a limit. */
    add(flow: Flow): boolean {
      const { kind, from, to, encodings = [], extent } = flow
      const key = [kind, from.name, to.actor, to.name, to.argument, extent, ...encodings].join('\n')
      const before = flows.get(key)
      if (before === undefined && flows.size >= arenaLimits.flows) return false
      flows.set(key, before === undefined ? flow : { ...before, times: (before.times ?? 1) + 1 })
      return true
    },
    all: () => [...flows.values()],
  }
}
