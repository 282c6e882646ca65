/** Detects hand-offs between agents in a trace: spans of one agent inside spans of another. */
import type { Span } from './spans.ts'

export type SpanKind = 'agent' | 'tool' | 'model' | undefined

/**
 * Returns a predicate for spans that belong to an agent called by another agent. A span around a whole run, which has
 * neither a name nor model or tool calls, is not an agent.
 */
export function handOffsIn(spans: readonly Span[], kindOf: (span: Span) => SpanKind): (span: Span) => boolean {
  const byId = new Map(spans.flatMap((span) => (span.id === undefined ? [] : [[keyOf(span, span.id), span] as const])))
  const parentOf = ({ trace, parent }: Span) => (parent === undefined ? undefined : byId.get(`${trace}/${parent}`))
  const nearest = nearestOf(parentOf, (span) => kindOf(span) === 'agent')
  const active = new Set(
    spans.filter((span) => ['tool', 'model'].includes(kindOf(span) ?? '')).map((span) => nearest(span)),
  )
  const nearestAgent = nearestOf(parentOf, (span) => kindOf(span) === 'agent' && (isNamed(span) || active.has(span)))
  return (span) => {
    const agent = nearestAgent(span)
    const caller = agent && parentOf(agent)
    return caller !== undefined && nearestAgent(caller) !== undefined
  }
}

const keyOf = ({ trace }: Span, id: string): string => `${trace}/${id}`

const isNamed = ({ attributes }: Span): boolean =>
  ['gen_ai.agent.name', 'agent.name', 'graph.node.id'].some((name) => typeof attributes[name] === 'string')

/**
 * Creates a function that returns the span itself or its nearest ancestor that passes `test`. Visits each span once.
 */
function nearestOf(
  parentOf: (span: Span) => Span | undefined,
  test: (span: Span) => boolean,
): (span: Span) => Span | undefined {
  const known = new Map<Span, Span | undefined>()
  return (span) => {
    const path: Span[] = []
    let at: Span | undefined = span
    while (at !== undefined && !known.has(at)) {
      // This also ends the search in a cycle of spans.
      known.set(at, undefined)
      path.push(at)
      if (test(at)) break
      at = parentOf(at)
    }
    const result = at === undefined ? undefined : path.at(-1) === at ? at : known.get(at)
    for (const one of path) known.set(one, result)
    return result
  }
}
