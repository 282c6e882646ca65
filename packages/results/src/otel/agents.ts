/** The agents of a trace: spans of one agent inside the spans of another are a hand-off. */
import type { Span } from './spans.ts'

export type SpanKind = 'agent' | 'tool' | 'model' | undefined

/**
 * Returns a function that says whether a span belongs to an agent that another agent called. A wrapper around a whole run
 * is not an agent: it has neither a name nor calls of its own.
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

/** Creates a search for the first span that passes, from a span outwards; each span is visited once. */
function nearestOf(
  parentOf: (span: Span) => Span | undefined,
  test: (span: Span) => boolean,
): (span: Span) => Span | undefined {
  const known = new Map<Span, Span | undefined>()
  return (span) => {
    const path: Span[] = []
    let at: Span | undefined = span
    while (at !== undefined && !known.has(at)) {
      // A span that contains itself ends the search.
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
