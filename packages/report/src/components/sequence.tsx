/** The sequence diagram of a trial: a sticky lane header, virtualized rows and a search. The trace may grow. */
import type { ActorOutcome, Flow } from '@joust/results'
import { useSignal } from '@preact/signals'
import type { JSX, RefObject } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { SearchBox } from './boxes.tsx'
import { bandAt, type Diagram, diagramOf, pathsOf, rowOf, rowsOf, type SequenceRow } from './diagram.ts'
import { Row } from './sequence-row.tsx'
import { plainText, shown } from './text.tsx'
import { searchTrace, type Trace } from './trace.ts'
import { type Reveal, ROW_STEPS, VirtualList } from './virtual-list.tsx'
import { countText, numberText, wordFor } from './words.ts'

/** Row height in pixels, as in the style sheet. */
const ROW_HEIGHT = 36

interface SequenceProps {
  /** Accessible name. @default 'Sequence' */
  readonly label?: string
  readonly trace: Trace
  readonly actors: readonly ActorOutcome[]
  /** Name of the middle lane. */
  readonly agent: string
  /** Indicators that a message decided, by `seq` of the message. */
  readonly evidence: ReadonlyMap<number, readonly string[]>
  /** The `seq` of the message that delivered the bait. */
  readonly bait?: number | undefined
  /** Values that reached the agent and left it in a later call. Values from the user are not drawn. */
  readonly flows?: readonly Flow[] | undefined
  /** The `seq` of the open message. */
  readonly selected: number | undefined
  readonly onOpen: (seq: number) => void
  /** The panel that covers the lower part of the diagram while a message is open. */
  readonly foot?: RefObject<HTMLElement | null>
}

export function Sequence(props: SequenceProps): JSX.Element {
  const { trace, label = 'Sequence', foot } = props
  const { drawing, rows, matches, search, active, first, reveal, openRow, move } = useSequence(props)
  const pane = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const activeRow = rows[active.value ?? -1]
  const onSearch = (text: string) => {
    search.value = text
    active.value = undefined
  }
  return (
    <section class="sequence" aria-label={label}>
      <SequenceTools
        messages={trace.messages.length}
        matches={matches?.size}
        search={search.value}
        onSearch={onSearch}
        hasPaths={drawing.paths.length > 0}
      />
      <div class="sequence-pane" ref={pane} style={{ '--lanes': String(drawing.diagram.lanes.length) }}>
        <LaneHead diagram={drawing.diagram} place={rows[first.value]?.place ?? 0} element={head} />
        <VirtualList
          {...{ pane, head, foot }}
          count={rows.length}
          height={ROW_HEIGHT}
          reveal={reveal.value}
          active={activeRow && active.value !== undefined ? { row: active.value, id: idOf(activeRow) } : undefined}
          onFirst={(row) => (first.value = row)}
          draw={(number) => {
            const row = rows[number]
            if (row === undefined) return null
            const top = number * ROW_HEIGHT
            const chosen = number === active.value
            return <Row key={keyOf(row)} {...{ drawing, row, number, top }} count={rows.length} selected={chosen} />
          }}
          attributes={{
            'aria-label': 'Messages in order; arrow keys move, Enter opens, right and left unfold and fold',
            onKeyDown: (event) => onKey(event, { move, openRow, row: active.value, kind: activeRow }),
            onClick: ({ target }) => {
              const row = target instanceof Element ? target.closest('[data-row]') : null
              const toggle = target instanceof Element && target.closest('[data-toggle]') !== null
              if (row instanceof HTMLElement) openRow(Number(row.dataset.row), toggle)
            },
          }}
        />
      </div>
    </section>
  )
}

function useSequence(props: SequenceProps) {
  const { trace, actors, agent, selected, onOpen } = props
  const drawing = useMemo(() => drawingOf(props), [trace, actors, agent, props.evidence, props.bait, props.flows])
  const open = useSignal<ReadonlySet<number>>(new Set())
  const search = useSignal('')
  const query = search.value
  const matches = useMemo(() => (query === '' ? undefined : searchTrace(trace, query)), [query, trace])
  const rows = useMemo(() => rowsOf(trace, drawing.diagram, open.value, matches), [drawing, open.value, matches])
  const active = useSignal<number | undefined>(undefined)
  const first = useSignal(0)
  const reveal = useSignal<Reveal | undefined>(undefined)
  const goTo = (row: number, isInitial = false) => {
    if (row < 0) return
    active.value = row
    reveal.value = { row, isInitial }
  }
  // Starts at the bait or first evidence, then follows the open message.
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    const place = selected === undefined ? (isFirst.current ? drawing.start : undefined) : drawing.places.get(selected)
    if (place !== undefined) goTo(rowOf(rows, place), selected === undefined)
    isFirst.current = false
  }, [selected])
  const openRow = (number: number, toggle = false) => {
    const row = rows[number]
    if (row === undefined || !isOpenable(row)) return
    active.value = number
    if (row.kind === 'fold' && (toggle || row.of === 'form')) open.value = toggled(open.value, row.place)
    else onOpen(trace.messages[drawing.shownOf(row)]?.seq ?? 0)
  }
  const move = (by: number) => {
    const next = nextOpenable(rows, active.value ?? first.value - 1, by)
    if (next === undefined) return
    goTo(next)
    const row = rows[next]
    if (selected !== undefined && row?.kind === 'message') onOpen(trace.messages[row.place]?.seq ?? 0)
  }
  return { drawing, rows, matches, search, active, first, reveal, openRow, move }
}

function SequenceTools(props: {
  readonly messages: number
  readonly matches: number | undefined
  readonly search: string
  readonly onSearch: (text: string) => void
  readonly hasPaths: boolean
}): JSX.Element {
  const { messages, matches, search, onSearch, hasPaths } = props
  return (
    <div class="sequence-tools">
      <SearchBox label="Find in messages" text={search} onText={onSearch} />
      <span class="muted" role="status">
        {matches === undefined ? countText(messages, 'message') : `${numberText(matches)} of ${numberText(messages)}`}
      </span>
      <span class="legend">
        <i class="legend-request" />
        request
        <i class="legend-response" />
        response
        {hasPaths && (
          <>
            <i class="legend-flow" />
            data flow
          </>
        )}
      </span>
    </div>
  )
}

function drawingOf({ trace, actors, agent, evidence, bait, flows = [] }: SequenceProps) {
  const places = new Map(trace.messages.map(({ seq }, place) => [seq, place]))
  const at = (seq: number) => places.get(seq) ?? []
  const decided = new Map([...evidence].flatMap(([seq, ids]) => [at(seq)].flat().map((place) => [place, ids] as const)))
  const baitPlace = bait === undefined ? undefined : places.get(bait)
  const starts = [...decided.keys(), ...(baitPlace === undefined ? [] : [baitPlace])]
  const paths = pathsOf(flows, places)
  const ends = paths.flatMap(({ from, to }) => [from, to])
  const diagram = diagramOf(trace, actors, agent, new Set([...starts, ...ends]))
  return {
    trace,
    diagram,
    evidence: decided,
    bait: baitPlace,
    paths,
    places,
    start: starts.length === 0 ? undefined : Math.min(...starts),
    /** Returns the message that a row opens. For a fold, this is the message that decided an indicator. */
    shownOf: (row: SequenceRow) =>
      (row.kind === 'fold' ? row.places.find((place) => decided.has(place)) : undefined) ?? row.place,
  }
}

function isOpenable(row: SequenceRow | undefined): boolean {
  return row?.kind === 'message' || row?.kind === 'fold'
}

function toggled(open: ReadonlySet<number>, place: number): ReadonlySet<number> {
  const next = new Set(open)
  if (!next.delete(place)) next.add(place)
  return next
}

function keyOf(row: SequenceRow): string {
  return row.kind === 'phase' ? `phase ${row.place} ${row.actor} ${row.phase}` : `${row.kind} ${row.place}`
}

function idOf(row: SequenceRow): string {
  return `${row.kind === 'fold' ? 'fold' : 'message'}-${row.place}`
}

function nextOpenable(rows: readonly SequenceRow[], start: number, by: number): number | undefined {
  const direction = by < 0 ? -1 : 1
  const goal = Math.min(rows.length - 1, Math.max(0, start + by))
  for (const step of [direction, -direction])
    for (let row = goal; row >= 0 && row < rows.length; row += step) if (isOpenable(rows[row])) return row
  return undefined
}

function onKey(
  event: KeyboardEvent,
  act: {
    readonly move: (by: number) => void
    readonly openRow: (row: number, toggle?: boolean) => void
    readonly row: number | undefined
    readonly kind: SequenceRow | undefined
  },
): void {
  if (event.altKey || event.ctrlKey || event.metaKey) return
  const by = ROW_STEPS[event.key]
  const fold = act.kind?.kind === 'fold' ? act.kind : undefined
  const folds = fold !== undefined && event.key === (fold.open ? 'ArrowLeft' : 'ArrowRight')
  if (by !== undefined) act.move(by)
  else if (act.row !== undefined && (event.key === 'Enter' || event.key === ' ')) act.openRow(act.row)
  else if (act.row !== undefined && folds) act.openRow(act.row, true)
  else return
  event.preventDefault()
}

function LaneHead(props: {
  readonly diagram: Diagram
  readonly place: number
  readonly element: RefObject<HTMLDivElement | null>
}): JSX.Element {
  const { lanes, bands } = props.diagram
  return (
    <div class="lane-head" ref={props.element}>
      <span class="time" />
      <span class="signs" />
      <div class="lanes">
        {lanes.map(({ name, mode, agent }) => {
          const band = agent ? undefined : bandAt(bands.get(name) ?? [], props.place)
          return (
            <div key={agent ? '' : `${name} `} class={agent ? 'lane-name lane-name-agent' : 'lane-name'}>
              <b title={plainText(name)}>{shown(name)}</b>
              <span class="muted">{agent ? 'agent' : shown(modeText(mode))}</span>
              <span class={band === undefined ? 'lane-phase' : `lane-phase lane-band-${band.ordinal % 3}`}>
                {shown(band?.phase ?? '')}
              </span>
            </div>
          )
        })}
      </div>
    </div>
  )
}

function modeText(mode: string): string {
  const match = /^(.*)_(client|server)$/.exec(mode)
  return match === null ? mode : `${wordFor(match[1] ?? '')} ${match[2]}`
}
