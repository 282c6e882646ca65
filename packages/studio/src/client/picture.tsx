/** Diagrams: an attack as lanes and bands, an agent as a graph. Clicking an element scrolls to it in the text. */
import type { AgentPicture, AttackPicture, Band } from '@joust/language'
import { plainText, shown, shownName } from '@joust/report/components'
import type { JSX } from 'preact'

interface Following {
  readonly cursor: number
  readonly onGo: (offset: number) => void
}

interface PictureProps<Document> extends Following {
  readonly picture: Document
  readonly onFile: (file: string) => void
}

export function Picture({ picture, ...rest }: PictureProps<AttackPicture | AgentPicture>): JSX.Element {
  return picture.kind === 'attack' ? <Attack picture={picture} {...rest} /> : <AgentGraph picture={picture} {...rest} />
}

function Attack({ picture, cursor, onGo }: PictureProps<AttackPicture>): JSX.Element {
  const { title, lanes, indicators, flows } = picture
  return (
    <section class="picture" aria-label="Attack diagram">
      <h2>{shownName(title)}</h2>
      {lanes.length === 0 && <p class="muted">No actors yet: add a mode or actors to “execution”.</p>}
      <div class="picture-lanes">
        {lanes.map(({ actor, mode, range, bands }, lane) => (
          <div class="picture-lane" key={lane}>
            <button type="button" class="plain picture-actor" onClick={() => onGo(range.start)}>
              <b>{shown(actor || 'actor')}</b> <span class="muted">{shown(mode)}</span>
            </button>
            <ol>
              {bands.map((band, place) => (
                <li key={place}>
                  <BandView
                    {...{ band, cursor, onGo }}
                    ordinal={place}
                    uses={flows.filter(({ to }) => to.lane === lane && to.band === place).map(({ name }) => name)}
                  />
                </li>
              ))}
            </ol>
          </div>
        ))}
      </div>
      <h3>Indicators</h3>
      {indicators.length === 0 && <p class="muted">No indicators: the attack cannot have a verdict without them.</p>}
      <ul class="picture-indicators">
        {indicators.map(({ label, range, actor, surface, target, tier }) => (
          <li key={`${label} ${range.start}`}>
            <button type="button" aria-current={isIn(cursor, range)} onClick={() => onGo(range.start)}>
              <b>⚑ {shown(label)}</b>{' '}
              {tier !== undefined && <span class="tier">{shown(tier.replaceAll('_', ' '))}</span>}
              <span class="muted">
                {shown([actor, surface, target].filter((one) => one !== undefined).join(' · '))}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function BandView(
  props: Following & { readonly band: Band; readonly ordinal: number; readonly uses: readonly string[] },
): JSX.Element {
  const { band, ordinal, cursor, uses, onGo } = props
  const { name, range, trigger, state, sends, extractors, baits } = band
  const facts: readonly (readonly [string, readonly string[]])[] = [
    ['has', state],
    ['sends', sends],
    ['extracts', extractors],
    ['uses', uses],
  ]
  return (
    <>
      <button
        type="button"
        class={`band band-${ordinal % 3}`}
        aria-current={isIn(cursor, range)}
        onClick={() => onGo(range.start)}
      >
        <b>{shown(name)}</b>
        {facts
          .filter(([, names]) => names.length > 0)
          .map(([word, names]) => (
            <span key={word} class="muted">
              {word} {shown(names.join(', '))}
            </span>
          ))}
      </button>
      {baits.map((bait) => (
        <button
          type="button"
          key={bait.path}
          class="bait"
          onClick={() => onGo(bait.range.start)}
          title={plainText(bait.path)}
        >
          ◆ bait
        </button>
      ))}
      {trigger !== undefined && (
        <button type="button" class="plain trigger" onClick={() => onGo(trigger.range.start)}>
          <svg viewBox="0 0 12 26" aria-hidden="true" focusable="false">
            <path d="M6 0V25M1.5 19 6 25l4.5-6" />
          </svg>
          <span>{shown(trigger.label)}</span>
        </button>
      )}
    </>
  )
}

function isIn(cursor: number, { start, end }: { readonly start: number; readonly end: number }): boolean {
  return cursor >= start && cursor < end
}

const WIDTH = 230
const HEIGHT = 44
const INDENT = 30
const GAP = 12

function AgentGraph({ picture, onGo, onFile }: PictureProps<AgentPicture>): JSX.Element {
  const places = placesOf(picture)
  const all = [...places.values()]
  const x = (depth: number) => depth * INDENT + 8
  const y = (row: number) => row * (HEIGHT + GAP) + 8
  const width = x(Math.max(0, ...all.map(({ depth }) => depth))) + WIDTH + 30
  return (
    <section class="picture" aria-label="Agent graph">
      <div class="graph" style={{ width: `${width}px`, height: `${y(all.length)}px` }}>
        <svg width={width} height={y(all.length)} aria-hidden="true" focusable="false">
          {picture.edges.map(({ from, to, alias }) => {
            const [a, b] = [places.get(from), places.get(to)]
            if (a === undefined || b === undefined) return null
            const [x1, y1, x2, y2] = [x(a.depth) + INDENT / 2, y(a.row) + HEIGHT, x(b.depth), y(b.row) + HEIGHT / 2]
            // A back edge is drawn on the right.
            const right = x(a.depth) + WIDTH
            const back = `M${right} ${y1 - HEIGHT / 2} C${right + 24} ${y1} ${x2 + WIDTH + 24} ${y2} ${x2 + WIDTH} ${y2}`
            const down = b.row > a.row && b.depth === a.depth + 1
            return <path key={`${from} ${to} ${alias}`} d={down ? `M${x1} ${y1} V${y2} H${x2}` : back} />
          })}
        </svg>
        {picture.nodes.map(({ id, kind, label, policy, file, range }) => {
          const { depth, row, role } = places.get(id) ?? { depth: 0, row: 0, role: undefined }
          const go = range !== undefined ? () => onGo(range.start) : file !== undefined ? () => onFile(file) : undefined
          return (
            <button
              key={id}
              type="button"
              class={`node node-${kind}`}
              disabled={go === undefined}
              onClick={go}
              style={{ left: `${x(depth)}px`, top: `${y(row)}px`, width: `${WIDTH}px`, height: `${HEIGHT}px` }}
            >
              <b>{plainText(label)}</b>
              <span class="muted">
                {plainText([role, kind.replaceAll('_', ' '), policy].filter((one) => one !== undefined).join(' · '))}
              </span>
            </button>
          )
        })}
      </div>
    </section>
  )
}

interface NodePlace {
  readonly depth: number
  readonly row: number
  /** Role of the node in the first node that references it. */
  readonly role?: string
}

/** Places each node below the first node that references it. */
function placesOf({ nodes, edges }: AgentPicture): ReadonlyMap<string, NodePlace> {
  const places = new Map<string, NodePlace>()
  const put = (id: string, depth: number, role?: string) => {
    if (places.has(id)) return
    places.set(id, { depth, row: places.size, ...(role !== undefined && { role }) })
    for (const edge of edges) if (edge.from === id) put(edge.to, depth + 1, edge.role)
  }
  const referenced = new Set(edges.map(({ to }) => to))
  for (const { id } of nodes) if (!referenced.has(id)) put(id, 0)
  for (const { id } of nodes) put(id, 0)
  return places
}
