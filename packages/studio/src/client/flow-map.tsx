/** The flow map: sources, private tools and sinks in columns, with a line for each step of a flow. */
import { numberText, plainText, shown } from '@joust/report/components'
import type { JSX } from 'preact'
import type { MappedFlow, ToolMap } from '../model/api.ts'

const columns = [
  ['source', 'Sources'],
  ['private', 'Private'],
  ['sink', 'Sinks'],
] as const
type Column = (typeof columns)[number][0]

/** Maximum number of tools in a column. */
const ROWS = 20
/** Height of a tool and the gap below it, as in the style sheet. */
const ROW = 38
/** Height of the box of a tool, as in the style sheet. */
const BOX = 30
/** Gap between columns in percent of the width, as in the style sheet for wide screens. */
const GAP = 11

export function FlowMap(props: {
  readonly map: ToolMap
  /** Tool whose flows are highlighted. */
  readonly chosen: string | undefined
  readonly onChoose: (tool: string) => void
}): JSX.Element {
  const { map, chosen, onChoose } = props
  const tools = toolsOf(map.flows)
  const rows = Math.max(...columns.map(([column]) => Math.min(ROWS, tools[column].length)))
  const height = rows * ROW
  return (
    <section class="flow-map" aria-label="Flow map">
      <div class="flow-columns">
        {/* The list of flows contains the lines as text. */}
        <svg
          viewBox={`0 0 100 ${height}`}
          height={height}
          preserveAspectRatio="none"
          aria-hidden="true"
          focusable="false"
        >
          {stepsOf(map.flows, tools, chosen).map(({ path, isOn }) => (
            <path key={path} d={path} class={chosen === undefined ? '' : isOn ? 'on' : 'off'} />
          ))}
        </svg>
        {columns.map(([column, title]) => (
          <div key={column} class={`flow-${column}`}>
            <h3>
              {title}{' '}
              <span class="muted">
                {tools[column].length > ROWS && `${ROWS} of ${numberText(tools[column].length)}`}
              </span>
            </h3>
            <ul>
              {tools[column].slice(0, ROWS).map((name) => (
                <li key={name}>
                  <button
                    type="button"
                    aria-pressed={name === chosen}
                    title={plainText(name)}
                    onClick={() => onChoose(name)}
                  >
                    {shown(name.slice(name.indexOf('/') + 1))}
                  </button>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  )
}

type Tools = Readonly<Record<Column, readonly string[]>>

/** Returns the tools of each column, starting with the most harmful flows. */
function toolsOf(flows: readonly MappedFlow[]): Tools {
  const of = (column: Column) => [...new Set(flows.flatMap((flow) => flow[column] ?? []))]
  return { source: of('source'), private: of('private'), sink: of('sink') }
}

/**
 * Returns the lines between tools, without duplicates. Lines of the selected tool come last, so that they are drawn on
 * top.
 */
function stepsOf(flows: readonly MappedFlow[], tools: Tools, chosen: string | undefined) {
  const places = Object.fromEntries(
    columns.map(([column]) => [column, new Map(tools[column].slice(0, ROWS).map((name, row) => [name, row]))]),
  )
  const steps = new Map<string, boolean>()
  for (const flow of flows) {
    const isOn = [flow.source, flow.private, flow.sink].includes(chosen)
    const stops = columns.flatMap(([column], place) => {
      const row = places[column]?.get(flow[column] ?? '')
      return row === undefined ? [] : [{ place, row }]
    })
    // A hidden tool would merge two steps into one.
    if (stops.length < (flow.private === undefined ? 2 : 3)) continue
    for (const [index, to] of stops.slice(1).entries()) {
      const path = lineOf(stops[index] ?? to, to)
      steps.set(path, steps.get(path) === true || isOn)
    }
  }
  return [...steps].map(([path, isOn]) => ({ path, isOn })).sort((a, b) => Number(a.isOn) - Number(b.isOn))
}

interface Stop {
  readonly place: number
  readonly row: number
}

/** Returns a curve from the right side of one box to the left side of a different box. */
function lineOf(from: Stop, to: Stop): string {
  const width = (100 - 2 * GAP) / 3
  const [x1, x2] = [from.place * (width + GAP) + width, to.place * (width + GAP)]
  const [y1, y2] = [from.row * ROW + BOX / 2, to.row * ROW + BOX / 2]
  const bend = GAP / 2
  return `M${x1.toFixed(1)} ${y1}C${(x1 + bend).toFixed(1)} ${y1} ${(x2 - bend).toFixed(1)} ${y2} ${x2.toFixed(1)} ${y2}`
}
