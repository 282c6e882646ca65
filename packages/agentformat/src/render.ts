/** Renders graphs as an indented tree or a Mermaid diagram. */
import { cut, printable } from '@joust/source'
import { type GraphEdge, type GraphNode, type GraphNodeKind, graph } from './graph.ts'
import type { Agent } from './model/agent.ts'

const kinds = { agent: '', tool: 'tool ', mcp_server: 'MCP server ', remote_agent: 'remote agent ' } as const

/**
 * Draws an agent as a text tree. An agent with several parents is expanded only once.
 *
 * @example
 * console.log(renderTree(loadedAgent.agent))
 */
export function renderTree(agent: Agent): string {
  const { nodes, edges } = graph(agent)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const below = new Map<string, GraphEdge[]>()
  for (const edge of edges) {
    const siblings = below.get(edge.from)
    if (siblings === undefined) below.set(edge.from, [edge])
    else siblings.push(edge)
  }
  const drawn = new Set<string>()
  const lines: string[] = []
  const draw = (node: GraphNode, head: string, indent: string): void => {
    const again = drawn.has(node.id) && below.has(node.id)
    drawn.add(node.id)
    lines.push(`${head}${again ? ' (see above)' : ''}`)
    const children = again ? [] : (below.get(node.id) ?? [])
    for (const [index, edge] of children.entries()) {
      const child = byId.get(edge.to)
      if (child === undefined) continue
      const last = index === children.length - 1
      draw(child, `${indent}${last ? '└─ ' : '├─ '}${edgeText(edge, child)}`, `${indent}${last ? '   ' : '│  '}`)
    }
  }
  for (const root of nodes.slice(0, 1)) draw(root, nodeText(root), '')
  return `${lines.join('\n')}\n`
}

function edgeText(edge: GraphEdge, child: GraphNode): string {
  const suffix = edge.approval ? ' [approval]' : ''
  if (child.kind !== 'agent') return `${nodeText(child)}${suffix}`
  return `${edge.role}: ${printable(edge.alias)} = ${nodeText(child)}${suffix}`
}

function nodeText({ kind, label, policy }: GraphNode): string {
  return `${kinds[kind]}${printable(label)}${policy === undefined ? '' : ` (${printable(policy)})`}`
}

const shapes: { readonly [kind in GraphNodeKind]: readonly [open: string, close: string] } = {
  agent: ['[', ']'],
  tool: ['(', ')'],
  mcp_server: ['[(', ')]'],
  remote_agent: ['([', '])'],
}

const LONGEST = 80

/**
 * Draws an agent as a Mermaid flowchart. Labels are quoted and escaped.
 *
 * @example
 * console.log(renderMermaid(loadedAgent.agent))
 */
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

function escapeLabel(text: string): string {
  return cut(printable(text), LONGEST).replaceAll(
    /[^\p{L}\p{M}\p{N} _.,:…-]/gu,
    (character) => `#${character.codePointAt(0)};`,
  )
}
