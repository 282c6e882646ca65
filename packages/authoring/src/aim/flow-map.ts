/** Renders the flows of an agent as text, Mermaid, HTML or JSON. */

import type { ClassifiedTool, Label } from '@joust/arena/inventory'
import { cut, printable } from '@joust/source'
import { type Flow, type FlowList, groupFlows, key, type ToolPlace } from './flows.ts'
import { sinkKinds } from './inventory/sinks.ts'

export const flowFormats = ['text', 'mermaid', 'html', 'json'] as const
export type FlowFormat = (typeof flowFormats)[number]

/** Classified tools and the flows between them. */
export interface FlowMap extends FlowList {
  readonly tools: readonly ClassifiedTool[]
}

/** Maximum number of flows in text output. HTML shows five times as many, JSON shows all. */
const SHOWN = 40
/** Maximum number of arrows in a diagram. */
const ARROWS = 60

/** Renders a flow map, with a final line break. */
export function flowMapText(map: FlowMap, format: FlowFormat): string {
  return writers[format](map)
}

const writers: Readonly<Record<FlowFormat, (map: FlowMap) => string>> = {
  text: plainText,
  mermaid: mermaidText,
  html: htmlText,
  json: (map) => `${JSON.stringify({ tools: map.tools, flows: map.flows, total: map.total }, null, 2)}\n`,
}

function plainText({ tools, flows, total }: FlowMap): string {
  const width = Math.min(50, Math.max(0, ...tools.map((tool) => key(tool).length)))
  const rows = tools.map((tool) => {
    const labels = tool.labels.map(({ label }) => label).join(', ') || 'none'
    const why = [...new Set(tool.labels.flatMap(({ reasons }) => reasons))].join('; ')
    return `  ${printable(key(tool)).padEnd(width)}  ${labels}${why === '' ? '' : `: ${why}`}`
  })
  return `${['Tools', ...rows, '', ...flowLines(flows, total)].join('\n')}\n`
}

function flowLines(flows: readonly Flow[], total: number): string[] {
  if (flows.length === 0) return ['No flows: no path from a source to a sink.']
  const groups = groupFlows(flows, ({ source, private: middle, sink }) =>
    [key(source), middle === undefined, key(sink)].join('\0'),
  )
  const lines = [...groups.values()].slice(0, SHOWN).flatMap((group) => {
    const [first] = group
    return first === undefined
      ? []
      : [`  ${first.severity.padEnd(8)}  ${printable(pathText(first, group.length - 1))}: ${effectOf(first)}`]
  })
  const more = groups.size - lines.length
  return [
    `Flows, most harmful first (${total})`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more source-sink pairs`] : []),
  ]
}

function pathText({ source, private: middle, sink }: Flow, others = 0): string {
  const more = others === 0 ? '' : ` or ${others} other${others === 1 ? '' : 's'}`
  return [key(source), ...(middle ? [`${key(middle)}${more}`] : []), key(sink)].join(' → ')
}

/** Describes the effect of a flow as a clause after the name of its sink. */
export function effectOf({ kind, private: middle }: Flow): string {
  const { does } = sinkKinds[kind]
  return middle === undefined ? does : `${does}, with private data`
}

function mermaidText({ tools, flows }: FlowMap): string {
  const shown = flows.slice(0, ARROWS)
  const names = [...new Set(shown.flatMap(placesOf).map(key))]
  const ids = new Map(names.map((name, index) => [name, `t${index}`]))
  const labels = new Map(tools.map((tool) => [key(tool), tool.labels.map(({ label }) => label)]))
  const nodes = names.map((name) => `  ${ids.get(name)}["${mermaidWord(name)}"]:::${roleOf(labels.get(name) ?? [])}`)
  const arrows = new Set(shown.flatMap((flow) => arrowsOf(flow, ids)))
  return [
    'flowchart LR',
    ...nodes,
    ...[...arrows].map((arrow) => `  ${arrow}`),
    '  classDef source fill:#fde68a,color:#1f2937',
    '  classDef private fill:#bfdbfe,color:#1f2937',
    '  classDef sink fill:#fecaca,color:#1f2937',
    '',
  ].join('\n')
}

function placesOf({ source, private: middle, sink }: Flow): ToolPlace[] {
  return [source, ...(middle ? [middle] : []), sink]
}

function arrowsOf(flow: Flow, ids: ReadonlyMap<string, string>): string[] {
  const steps = placesOf(flow).map((place) => ids.get(key(place)))
  return steps.slice(1).map((to, index) => `${steps[index]} --> ${to}`)
}

function roleOf(labels: readonly Label[]): Label {
  return labels.includes('sink')
    ? 'sink'
    : labels.includes('private') && !labels.includes('source')
      ? 'private'
      : 'source'
}

/** Replaces unsafe characters in a tool name, which is untrusted text. */
function mermaidWord(name: string): string {
  return cut(name, 80).replaceAll(/[^\w ./:-]/g, '_')
}

function htmlText({ tools, flows, total }: FlowMap): string {
  const toolRows = tools.map(
    (tool) =>
      `<tr><td><code>${escaped(key(tool))}</code></td><td>${tool.labels.map(({ label }) => `<span class="${label}">${label}</span>`).join(' ')}</td><td>${escaped([...new Set(tool.labels.flatMap(({ reasons }) => reasons))].join('; '))}</td></tr>`,
  )
  const flowRows = flows
    .slice(0, SHOWN * 5)
    .map(
      (flow) =>
        `<tr><td>${flow.severity}</td><td><code>${escaped(pathText(flow))}</code></td><td>${effectOf(flow)}</td></tr>`,
    )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Flows of an agent</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1f2937; background: #fff }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #d1d5db; vertical-align: top }
span { padding: 0 .4rem; border-radius: .3rem } .source { background: #fde68a } .private { background: #bfdbfe } .sink { background: #fecaca }
</style>
</head>
<body>
<h1>Flows of an agent</h1>
<h2>Flows, most harmful first (${Math.min(flows.length, SHOWN * 5)} of ${total})</h2>
<table><thead><tr><th>Severity</th><th>Path</th><th>Effect</th></tr></thead><tbody>
${flowRows.join('\n')}
</tbody></table>
<h2>Tools</h2>
<table><thead><tr><th>Tool</th><th>Labels</th><th>Reasons</th></tr></thead><tbody>
${toolRows.join('\n')}
</tbody></table>
</body>
</html>
`
}

function escaped(text: string): string {
  return printable(text).replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}
