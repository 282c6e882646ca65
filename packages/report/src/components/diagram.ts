/** Computes the sequence diagram of a trace: lanes, phases, and rows for messages, folds, phase changes and gaps. */

import { roleOf } from '@joust/oatf'
import { type ActorOutcome, type Flow, flowText } from '@joust/results'
import { type Fold, foldsOf } from './folds.ts'
import type { Message, Trace } from './trace.ts'

/** A vertical line of the diagram: the agent or an actor. */
interface Lane {
  readonly name: string
  readonly mode: string
  readonly agent: boolean
}

/** A row. `place` is the index of a message: the first in a fold, or the one after a gap or phase change. */
export type SequenceRow =
  | { readonly kind: 'message' | 'broken'; readonly place: number; readonly folded?: true }
  | { readonly kind: 'gap'; readonly place: number; readonly count: number }
  | ({ readonly kind: 'fold'; readonly place: number; readonly open: boolean } & Fold)
  | PhaseRow

interface PhaseRow {
  readonly kind: 'phase'
  readonly place: number
  readonly actor: string
  readonly phase: string
  readonly reason: string
  readonly elapsed: number
  /** Index of the message that triggered the change. */
  readonly trigger: number | undefined
}

/** A phase of a lane. `from` is the index of its first message. */
interface Band {
  readonly from: number
  readonly phase: string
  readonly ordinal: number
}

export interface Diagram {
  readonly lanes: readonly Lane[]
  readonly changes: ReadonlyMap<number, readonly PhaseRow[]>
  /** Phases in order, by actor. */
  readonly bands: ReadonlyMap<string, readonly Band[]>
  /** Triggered phases, by index of the message that triggered them. */
  readonly triggers: ReadonlyMap<number, string>
  readonly folds: ReadonlyMap<number, Fold>
}

/** Builds the diagram of a trace. Messages at the indices in `apart` are not folded. */
export function diagramOf(
  trace: Trace,
  actors: readonly ActorOutcome[],
  agent: string,
  apart: ReadonlySet<number> = new Set(),
): Diagram {
  const { messages } = trace
  const changes = phaseChanges(messages, actors)
  const triggers = new Map<number, string>()
  const bands = new Map<string, Band[]>()
  const begin = (actor: string, phase: string, from: number) => {
    const list = bands.get(actor) ?? []
    list.push({ from, phase, ordinal: list.length })
    bands.set(actor, list)
  }
  for (const { name, phases } of actors) if (phases[0] !== undefined) begin(name, phases[0].phase, 0)
  for (const [place, list] of [...changes].sort(([left], [right]) => left - right)) {
    for (const { actor, phase, trigger } of list) {
      begin(actor, phase, place)
      if (trigger !== undefined) triggers.set(trigger, phase)
    }
  }
  const unfolded = new Set([...apart, ...triggers.keys()])
  return { lanes: lanesOf(messages, actors, agent), changes, bands, triggers, folds: foldsOf(trace, unfolded, changes) }
}

/** Returns the visible rows: either the search matches, or all rows, where only the folds in `open` are open. */
export function rowsOf(
  { messages, leftOut }: Trace,
  { changes, folds }: Diagram,
  open: ReadonlySet<number>,
  matches?: ReadonlySet<number>,
): SequenceRow[] {
  if (matches !== undefined) return [...matches].map((place) => rowAt(messages, place))
  const rows: SequenceRow[] = []
  for (let place = 0; place <= messages.length; place++) {
    rows.push(...(changes.get(place) ?? []))
    const gap = place < messages.length ? messages[place]?.leftOut : leftOut
    if (gap !== undefined && gap > 0) rows.push({ kind: 'gap', place, count: gap })
    const fold = folds.get(place)
    if (fold === undefined) {
      if (place < messages.length) rows.push(rowAt(messages, place))
      continue
    }
    rows.push({ kind: 'fold', place, open: open.has(place), ...fold })
    if (open.has(place)) for (const one of fold.places) rows.push({ kind: 'message', place: one, folded: true })
    place = fold.places.at(-1) ?? place
  }
  return rows
}

/** A data flow through the agent, from the message with a value to the call that contains it, by message index. */
export interface FlowPath {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Returns the paths of flows in the trace. Omits values from the user, because they are not evidence. */
export function pathsOf(flows: readonly Flow[], places: ReadonlyMap<number, number>): FlowPath[] {
  return flows.flatMap((flow) => {
    const [from, to] = [places.get(flow.from.seq), places.get(flow.to.seq)]
    return flow.kind === 'user' || from === undefined || to === undefined ? [] : [{ from, to, text: flowText(flow) }]
  })
}

/** Returns the halves of a row that paths cover on the agent's lane. A path starts and ends in the middle of a row. */
export function halvesOf(
  paths: readonly FlowPath[],
  row: SequenceRow,
): { readonly above: boolean; readonly below: boolean } {
  const isBetween = row.kind === 'phase' || row.kind === 'gap'
  const first = row.place
  const last = row.kind === 'fold' ? (row.places.at(-1) ?? first) : first
  const above = paths.some(({ from, to }) => from < first && to >= first)
  return { above, below: isBetween ? above : paths.some(({ from, to }) => from <= last && to > last) }
}

/** Returns the index of the row that shows a message. */
export function rowOf(rows: readonly SequenceRow[], place: number): number {
  const exact = rows.findIndex((row) => row.kind === 'message' && row.place === place)
  return exact >= 0 ? exact : rows.findIndex((row) => row.kind === 'fold' && row.places.includes(place))
}

export function bandAt(bands: readonly Band[], place: number): Band | undefined {
  return bands.findLast((band) => band.from <= place)
}

function rowAt(messages: readonly Message[], place: number): SequenceRow {
  return { kind: messages[place]?.broken === true ? 'broken' : 'message', place }
}

function lanesOf(messages: readonly Message[], actors: readonly ActorOutcome[], agent: string): Lane[] {
  const lanes = new Map<string, Lane>()
  const senders = messages.filter(({ broken }) => broken !== true).map(({ actor: name, mode }) => ({ name, mode }))
  for (const { name, mode } of [...actors, ...senders])
    if (!lanes.has(name)) lanes.set(name, { name, mode, agent: false })
  const isClient = ({ mode }: Lane) => roleOf(mode) === 'client'
  const all = [...lanes.values()]
  const middle = { name: agent, mode: 'agent', agent: true }
  return [...all.filter(isClient), middle, ...all.filter((lane) => !isClient(lane))]
}

/** Returns the phase changes by index of the message that follows them. */
function phaseChanges(messages: readonly Message[], actors: readonly ActorOutcome[]): Map<number, PhaseRow[]> {
  const changes = new Map<number, PhaseRow[]>()
  for (const { name, phases } of actors) {
    let after = 0
    for (const [number, { phase, reason, elapsed_ms: elapsed }] of phases.entries()) {
      if (number === 0) continue
      const before = phases[number - 1]?.phase
      const isEarlier = (one: Message) => one.actor === name && one.phase === before && one.elapsed <= elapsed
      const last = messages.findLastIndex(isEarlier)
      // A timeout has no message. Its position follows from its time.
      const timed = messages.findIndex((one) => one.elapsed > elapsed)
      const byTime = timed < 0 ? messages.length : timed
      const matched = reason === 'event_matched'
      const place = Math.max(after, matched && last >= 0 ? last + 1 : byTime)
      const cause = matched ? messages.findLastIndex((one) => isEarlier(one) && one.out !== true) : -1
      const trigger = cause < 0 ? undefined : cause
      const row = { kind: 'phase', place, actor: name, phase, reason, elapsed, trigger } as const
      changes.set(place, [...(changes.get(place) ?? []), row])
      after = place
    }
  }
  return changes
}
