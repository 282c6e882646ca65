/** Mermaid flowcharts of agents. */
import { cut, printable } from '@joust/source'
import { type GraphNodeKind, graph } from '../graph.ts'
import type { Agent } from '../model/agent.ts'

const shapes: { readonly [kind in GraphNodeKind]: readonly [open: string, close: string] } = {
  agent: ['[', ']'],
  tool: ['(', ')'],
  mcp_server: ['[(', ')]'],
  remote_agent: ['([', '])'],
}

const LONGEST = 80

/** Draws an agent as a Mermaid flowchart. Names appear only in quoted labels, with special characters escaped. */
export function renderMermaid(agent: Agent): string {
  const { nodes, edges } = graph(agent)
  const names = new Map(nodes.map((node, index) => [node.id, `n${index}`]))
  const boxes = nodes.map(({ id, kind, label, policy }) => {
    const [open, close] = shapes[kind]
    const text = policy === undefined ? escapeLabel(label) : `${escapeLabel(label)}<br/>${escapeLabel(policy)}`
    return `  ${names.get(id)}${open}"${text}"${close}`
  })
  const arrows = edges.map(({ from, to, alias, role, approval }) => {
    const text = escapeLabel(`${role}: ${alias}${approval ? ', approval' : ''}`)
    return `  ${names.get(from)} ${approval ? '-.->' : '-->'}|"${text}"| ${names.get(to)}`
  })
  return `${['flowchart TD', ...boxes, ...arrows].join('\n')}\n`
}

/** Replaces all but letters, digits and a few safe characters by Mermaid character codes. */
function escapeLabel(text: string): string {
  return cut(printable(text), LONGEST).replaceAll(
    /[^\p{L}\p{M}\p{N} _.,:…-]/gu,
    (character) => `#${character.codePointAt(0)};`,
  )
}
