/** An agent and everything that it leads to, in columns from left to right. */
import type { AgentPicture } from '@joust/language'
import { plainText } from '@joust/report/components'
import type { JSX } from 'preact'

const WIDTH = 168
const HEIGHT = 44
const GAP_X = 72
const GAP_Y = 18

interface AgentGraphProps {
  readonly picture: AgentPicture
  readonly onGo: (offset: number) => void
  readonly onFile: (file: string) => void
}

export function AgentGraph({ picture, onGo, onFile }: AgentGraphProps): JSX.Element {
  const places = placesOf(picture)
  const columns = Math.max(0, ...[...places.values()].map(({ column }) => column)) + 1
  const rows = Math.max(0, ...[...places.values()].map(({ row }) => row)) + 1
  const x = (column: number) => column * (WIDTH + GAP_X) + 8
  const y = (row: number) => row * (HEIGHT + GAP_Y) + 8
  return (
    <section class="picture" aria-label="The agent as a graph">
      <div class="graph" style={{ width: `${x(columns)}px`, height: `${y(rows)}px` }}>
        <svg width={x(columns)} height={y(rows)} aria-hidden="true" focusable="false">
          {picture.edges.map(({ from, to }) => {
            const [a, b] = [places.get(from), places.get(to)]
            if (a === undefined || b === undefined) return null
            const [x1, y1, x2, y2] = [x(a.column) + WIDTH, y(a.row) + HEIGHT / 2, x(b.column), y(b.row) + HEIGHT / 2]
            return <path key={`${from} ${to}`} d={`M${x1} ${y1} C${x1 + 30} ${y1} ${x2 - 30} ${y2} ${x2} ${y2}`} />
          })}
        </svg>
        {picture.nodes.map(({ id, kind, label, file, range }) => {
          const { column, row } = places.get(id) ?? { column: 0, row: 0 }
          const go = range !== undefined ? () => onGo(range.start) : file !== undefined ? () => onFile(file) : undefined
          return (
            <button
              key={id}
              type="button"
              class={`node node-${kind}`}
              disabled={go === undefined}
              onClick={go}
              style={{ left: `${x(column)}px`, top: `${y(row)}px`, width: `${WIDTH}px`, height: `${HEIGHT}px` }}
            >
              <b>{plainText(label)}</b> <span class="muted">{kind.replaceAll('_', ' ')}</span>
            </button>
          )
        })}
      </div>
    </section>
  )
}

/** The column of a node is how far it is from where the graph begins. */
function placesOf({
  nodes,
  edges,
}: AgentPicture): ReadonlyMap<string, { readonly column: number; readonly row: number }> {
  const columns = new Map<string, number>()
  const led = new Set(edges.map(({ to }) => to))
  let now = nodes.filter(({ id }) => !led.has(id)).map(({ id }) => id)
  if (now.length === 0) now = nodes.slice(0, 1).map(({ id }) => id)
  for (let column = 0; now.length > 0; column++) {
    for (const id of now) columns.set(id, column)
    now = [...new Set(edges.filter(({ from }) => now.includes(from)).map(({ to }) => to))].filter(
      (id) => !columns.has(id),
    )
  }
  const rows = new Map<number, number>()
  return new Map(
    nodes.map(({ id }) => {
      const column = columns.get(id) ?? 0
      const row = rows.get(column) ?? 0
      rows.set(column, row + 1)
      return [id, { column, row }]
    }),
  )
}
