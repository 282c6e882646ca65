/** Rows of the sequence diagram: time, icons, lanes, and an arrow or a phase change. */
import { firstFew } from '@joust/source'
import type { ComponentChildren, JSX } from 'preact'
import { bandAt, type Diagram, type FlowPath, halvesOf, type SequenceRow } from './diagram.ts'
import { Icon } from './icons.tsx'
import { plainText, shown } from './text.tsx'
import type { Trace } from './trace.ts'
import { countText, durationText } from './words.ts'

interface Drawing {
  readonly trace: Trace
  readonly diagram: Diagram
  /** Indicators that a message decided, by index of the message. */
  readonly evidence: ReadonlyMap<number, readonly string[]>
  /** Index of the message that delivered the bait. */
  readonly bait: number | undefined
  readonly paths: readonly FlowPath[]
}

interface RowProps {
  readonly drawing: Drawing
  readonly row: SequenceRow
  readonly number: number
  readonly count: number
  readonly top: number
  readonly selected: boolean
}

export function Row(props: RowProps): JSX.Element {
  const { drawing, row, top } = props
  if (row.kind === 'message' || row.kind === 'fold') return <MessageRow {...props} row={row} />
  if (row.kind === 'phase') return <PhaseRow drawing={drawing} row={row} top={top} />
  const broken = drawing.trace.messages[row.place]?.malformed ?? ''
  return (
    <div class="row row-gap" role="presentation" style={{ top: `${top}px` }}>
      {row.kind === 'broken' && <Icon name="warning" />}
      <span class="gap-text">
        {row.kind === 'gap'
          ? `${countText(row.count, 'message')} omitted from this report`
          : shown(`Invalid line in the trace: ${broken}`)}
      </span>
    </div>
  )
}

function PhaseRow(props: {
  readonly drawing: Drawing
  readonly row: Extract<SequenceRow, { kind: 'phase' }>
  readonly top: number
}): JSX.Element {
  const { drawing, row, top } = props
  const { lanes } = drawing.diagram
  const lane = lanes.findIndex(({ name, agent }) => !agent && name === row.actor)
  const trigger = row.trigger === undefined ? undefined : drawing.trace.messages[row.trigger]?.seq
  const why = row.reason === 'timeout' ? 'timeout' : trigger === undefined ? 'trigger' : `trigger, #${trigger}`
  const last = lane === lanes.length - 1
  return (
    <div class="row row-phase" role="presentation" style={{ top: `${top}px` }}>
      <span class="time">{durationText(row.elapsed)}</span>
      <span class="signs" />
      <div class="lanes">
        <Lanes drawing={drawing} row={row} />
        <span
          class={last ? 'phase-change phase-change-last' : 'phase-change'}
          title={plainText(`${row.actor} enters the phase ${row.phase}`)}
          style={between(lanes.length, lane, lane)}
        >
          <Icon name="trigger" />
          <b>{shown(row.phase)}</b>
          <span class="muted">{why}</span>
        </span>
      </div>
    </div>
  )
}

type OpenableRow = Extract<SequenceRow, { kind: 'message' | 'broken' | 'fold' }>

function MessageRow(props: RowProps & { readonly row: OpenableRow }): JSX.Element {
  const { drawing, row, number, count, top, selected } = props
  const fold = row.kind === 'fold' ? row : undefined
  const { message, surface, label, signs, classes, spoken } = describe(drawing, row)
  return (
    <div
      class={classes}
      role="option"
      // The list has the focus. `aria-activedescendant` refers to the active row.
      tabIndex={-1}
      id={`${fold === undefined ? 'message' : 'fold'}-${row.place}`}
      aria-selected={selected}
      aria-posinset={number + 1}
      aria-setsize={count}
      data-row={number}
      style={{ top: `${top}px` }}
    >
      <span class="visually-hidden">{plainText(spoken)}</span>
      <span class="time" aria-hidden="true">
        <span class="number">{message?.seq}</span>
        {durationText(message?.elapsed ?? 0)}
      </span>
      <span class="signs" aria-hidden="true">
        {signs.map(([name, text]) => (
          <span key={name} title={plainText(text)} class={`sign sign-${name}`}>
            <Icon name={name} />
          </span>
        ))}
      </span>
      <div class="lanes" aria-hidden="true">
        <Lanes drawing={drawing} row={row} />
        <Arrow {...arrowOf(drawing, row).arrow}>
          {fold !== undefined && (
            <span class="fold-sign" data-toggle>
              {fold.open ? '▾' : '▸'} {fold.places.length}
            </span>
          )}
          <b>{shown(surface)}</b> {shown(label)}
        </Arrow>
      </div>
    </div>
  )
}

function describe(drawing: Drawing, row: OpenableRow) {
  const { trace, diagram, evidence, bait } = drawing
  const fold = row.kind === 'fold' ? row : undefined
  const places = fold?.places ?? [row.place]
  const message = trace.messages[row.place]
  const decided = places.flatMap((place) => evidence.get(place) ?? [])
  const phases = places.flatMap((place) => diagram.triggers.get(place) ?? [])
  const isBait = bait !== undefined && places.includes(bait)
  const flows = endsAt(drawing, new Set(places))
  const malformed = message?.malformed !== undefined
  const surface = fold?.title ?? (message?.surface === '' ? 'unreadable' : (message?.surface ?? ''))
  const label = fold?.label ?? message?.label ?? ''
  const all: readonly Sign[] = [
    ['bait', isBait ? 'delivers the bait' : ''],
    ['evidence', decided.length > 0 ? `decides ${[...new Set(decided)].join(', ')}` : ''],
    ['warning', malformed ? 'malformed' : ''],
    ['flow', flows.join('; ')],
    ['trigger', phases.length > 0 ? `triggers the phase ${phases.join(', ')}` : ''],
  ]
  const signs = all.filter(([, text]) => text !== '')
  const classes = [
    'row row-message',
    decided.length > 0 && 'row-evidence',
    isBait && 'row-bait',
    flows.length > 0 && 'row-flow',
    malformed && 'row-malformed',
    fold !== undefined && `row-fold row-fold-${fold.of}`,
    row.kind === 'message' && row.folded && 'row-folded',
  ]
  const kind = fold === undefined ? (message?.response === true ? ' response' : ' request') : ''
  const what = `${message?.seq}: ${arrowOf(drawing, row).sides}, ${surface}${kind} ${label}`
  const more = fold === undefined ? [] : [`${fold.places.length} messages, ${fold.open ? 'shown' : 'folded'}`]
  const spoken = [what, ...signs.map(([, text]) => text), ...more].join('; ')
  return { message, surface, label, signs, classes: classes.filter(Boolean).join(' '), spoken }
}

/** Maximum number of data flows listed in a row. */
const NAMED = 5

function endsAt({ trace, paths }: Drawing, places: ReadonlySet<number>): string[] {
  const number = (place: number) => trace.messages[place]?.seq
  const all = paths.flatMap(({ from, to, text }) => [
    ...(places.has(from) ? [`${text}, in message ${number(to)}`] : []),
    ...(places.has(to) ? [`${text}, from message ${number(from)}`] : []),
  ])
  return firstFew(all, NAMED)
}

type Sign = readonly [sign: string, text: string]

interface ArrowProps {
  readonly kind: 'request' | 'response' | 'both'
  readonly from: number
  readonly to: number
  readonly lanes: number
}

/** Returns the sender and receiver of a row, and its arrow. Protocol overhead has an arrow in both directions. */
function arrowOf({ trace, diagram: { lanes } }: Drawing, row: OpenableRow): { sides: string; arrow: ArrowProps } {
  const message = trace.messages[row.place]
  const actor = lanes.findIndex(({ name, agent }) => !agent && name === message?.actor)
  const agent = lanes.findIndex((lane) => lane.agent)
  const [from, to] = message?.out === true ? [actor, agent] : [agent, actor]
  const response = message?.response === true ? 'response' : 'request'
  const kind = row.kind === 'fold' && row.of === 'form' ? 'both' : response
  return {
    sides: [lanes[from]?.name, lanes[to]?.name].join(kind === 'both' ? ' and ' : ' to '),
    arrow: { kind, from, to, lanes: lanes.length },
  }
}

function Arrow(props: ArrowProps & { readonly children: ComponentChildren }): JSX.Element {
  const { kind, from, to, lanes, children } = props
  const way = kind === 'both' ? 'arrow-both' : from < to ? 'arrow-right' : 'arrow-left'
  return (
    <span class={`arrow arrow-${kind} ${way}`} style={between(lanes, from, to)}>
      <span class="arrow-text">{children}</span>
      <i class="arrow-line" />
    </span>
  )
}

function Lanes({ drawing, row }: { readonly drawing: Drawing; readonly row: SequenceRow }): JSX.Element {
  const { diagram, paths } = drawing
  const { above, below } = halvesOf(paths, row)
  const flow = `${above ? ' flow-above' : ''}${below ? ' flow-below' : ''}`
  return (
    <>
      {diagram.lanes.map(({ name, agent }) => {
        const band = agent ? undefined : bandAt(diagram.bands.get(name) ?? [], row.place)
        const tint = agent ? `lane-agent${flow}` : `lane-band lane-band-${(band?.ordinal ?? 0) % 3}`
        const begins = row.kind === 'phase' && row.actor === name && !agent ? ' lane-begins' : ''
        return <span key={agent ? '' : `${name} `} class={`lane ${tint}${begins}`} />
      })}
    </>
  )
}

function between(lanes: number, from: number, to: number): { left: string; width?: string } {
  const left = `${((Math.min(from, to) + 0.5) / lanes) * 100}%`
  return from === to ? { left } : { left, width: `${(Math.abs(to - from) / lanes) * 100}%` }
}
