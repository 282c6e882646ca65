/** An agent and everything that it leads to, one row each, indented by distance. */
import type { AgentPicture } from '@joust/language'
import { plainText } from '@joust/report/components'
import type { JSX } from 'preact'

const WIDTH = 230
const HEIGHT = 44
const INDENT = 30
const GAP = 12

interface AgentGraphProps {
  readonly picture: AgentPicture
  readonly onGo: (offset: number) => void
  readonly onFile: (file: string) => void
}

export function AgentGraph({ picture, onGo, onFile }: AgentGraphProps): JSX.Element {
  const places = placesOf(picture)
  const all = [...places.values()]
  const x = (depth: number) => depth * INDENT + 8
  const y = (row: number) => row * (HEIGHT + GAP) + 8
  const width = x(Math.max(0, ...all.map(({ depth }) => depth))) + WIDTH + 30
  return (
    <section class="picture" aria-label="The agent as a graph">
      <div class="graph" style={{ width: `${width}px`, height: `${y(all.length)}px` }}>
        <svg width={width} height={y(all.length)} aria-hidden="true" focusable="false">
          {picture.edges.map(({ from, to, alias }) => {
            const [a, b] = [places.get(from), places.get(to)]
            if (a === undefined || b === undefined) return null
            const [x1, y1, x2, y2] = [x(a.depth) + INDENT / 2, y(a.row) + HEIGHT, x(b.depth), y(b.row) + HEIGHT / 2]
            // An edge that leads back goes around on the right.
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
  /** Its role for the first node that leads to it. */
  readonly role?: string
}

/** Each node below the first one that leads to it. */
function placesOf({ nodes, edges }: AgentPicture): ReadonlyMap<string, NodePlace> {
  const places = new Map<string, NodePlace>()
  const put = (id: string, depth: number, role?: string) => {
    if (places.has(id)) return
    places.set(id, { depth, row: places.size, ...(role !== undefined && { role }) })
    for (const edge of edges) if (edge.from === id) put(edge.to, depth + 1, edge.role)
  }
  const led = new Set(edges.map(({ to }) => to))
  for (const { id } of nodes) if (!led.has(id)) put(id, 0)
  for (const { id } of nodes) put(id, 0)
  return places
}
