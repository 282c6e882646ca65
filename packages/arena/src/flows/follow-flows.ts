/**
 * Follows values through a run: each text that reaches the agent, and the arguments of later calls that contain it or a
 * distinctive part of it.
 */
import type { LoadedAttack } from '@joust/oatf'
import type { Flow, FlowEncoding, TraceEntry } from '@joust/results'
import { cut, formatPath } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import { callIn, type FlowCall, pathOf } from './calls.ts'
import { type Decoding, decodingsOf } from './decodings.ts'
import { evidenceIn, isDistinctive, SHORTEST_PART, SHORTEST_VALUE, type Span } from './distinctive.ts'
import { createOrigins } from './origins.ts'
import { type Candidate, createValueStore, type Value, type ValueSearch } from './value-store.ts'
import { createWritten } from './written.ts'

/** The flows of a run in progress. */
export interface FlowWatch {
  /** Takes the next entry. Returns the flows into a call; empty for other entries. */
  take(entry: TraceEntry): readonly Flow[]
  /** All distinct flows so far. */
  all(): readonly Flow[]
  /** True once a limit was exceeded; then a missing flow proves nothing. */
  isIncomplete(): boolean
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
  const store = createValueStore(onLimit)
  const flows = createFlowList()
  const written = createWritten(onLimit)
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
  readonly store: ReturnType<typeof createValueStore>
  readonly written: ReturnType<typeof createWritten>
  readonly onLimit: () => void
}

const NONE: readonly Finding[] = []

/** Finds the flows into a call: values in one argument, or split across several arguments. */
function flowsInto(call: FlowCall, { seq, actor }: TraceEntry, known: Known): Flow[] {
  const { store, onLimit } = known
  let best: Map<string, Flow> | undefined
  const add = (finding: Finding, argument: string, encodings: readonly FlowEncoding[], isSplit: boolean) => {
    const { kind, name, seq: origin, actor: source, text } = finding.value
    const key = `${argument}\n${kind}\n${name}`
    // The longest text counts. Of equally long texts, the one with the fewest encodings counts.
    best ??= new Map()
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
  const flows = () => [...(best?.values() ?? [])]
  const search = (text: string) => store.search(text, call.name)
  for (const { place, text } of call.arguments) {
    if (text.length < SHORTEST_VALUE) continue
    for (const decoding of decodingsOf(text, search, onLimit))
      for (const finding of decisive(decoding, known))
        add(finding, formatPath(pathOf(place)), decoding.encodings, false)
  }
  const pieces = call.arguments.filter(({ isText, text }) => isText && text.length >= SHORTEST_PIECE)
  if (pieces.length < 2) return flows()
  const { text, places } = joined(pieces)
  const alone = new Set(flows().map(({ kind, from }) => `${kind}\n${from.name}`))
  for (const decoding of decodingsOf(text, search, onLimit))
    for (const finding of decisive(decoding, known)) {
      const paths = pathsIn(places, decoding, finding)
      const isNew = !alone.has(`${finding.value.kind}\n${finding.value.name}`)
      if (isNew && paths.length > 1) add(finding, paths.join(', '), decoding.encodings, true)
    }
  return flows()
}

/**
 * Selects the values that a text certainly comes from: not given by the user, not written by the agent before they
 * arrived, and only the longest and earliest of overlapping values.
 */
function decisive(
  { text, values: { candidates } }: Decoding<ValueSearch>,
  { store, written }: Known,
): readonly Finding[] {
  if (candidates.length === 0) return NONE
  const ranked = [...candidates].sort(byRank)
  const chosen: Finding[] = []
  /** Ranges of longer candidates; a candidate within such a range adds no evidence. */
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

/** True if other findings cover all the evidence in a finding. */
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

/** The minimum length of one piece of a value that is split across arguments. */
const SHORTEST_PIECE = 4

interface Joined {
  readonly text: string
  readonly places: readonly (Span & { readonly path: string })[]
}

function joined(pieces: FlowCall['arguments']): Joined {
  const places: (Span & { readonly path: string })[] = []
  let text = ''
  for (const one of pieces) {
    places.push({ path: formatPath(pathOf(one.place)), start: text.length, end: text.length + one.text.length })
    text += one.text
  }
  return { text, places }
}

/** Returns the paths to the arguments that a finding in the joined text overlaps. */
function pathsIn(places: Joined['places'], decoding: Decoding<ValueSearch>, finding: Finding) {
  const isPlain = decoding.encodings.length === 0
  const { start, end } = isPlain ? finding : decoding
  return places.filter((place) => place.start < end && place.end > start).map(({ path }) => path)
}

/** Collects distinct flows and counts their repetitions. */
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
