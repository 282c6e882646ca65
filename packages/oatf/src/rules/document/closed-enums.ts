import { checkShape, type Path, type Shape, shapes, type Value } from '@joust/source'
import { documentShape, stateEnumerations, tierShape } from '../../model/shapes.ts'
import type { Rule } from '../rule.ts'
import { isStateKey } from '../walk.ts'

export const closedEnums: Rule = {
  summary: 'Every value of a closed enumeration is one of its members; tiers have a rule of their own.',
  check(walk, report) {
    const check = (value: Value, shape: Shape, at: Path, concerns = (_path: Path) => true) => {
      for (const { path, message, meant } of checkShape(value, shape)) {
        if (concerns(path)) report([...at, ...path], message, { meant })
      }
    }
    check(walk.document, inDocument, [])
    for (const { path, value, phase } of walk.states) {
      check(value, inState, path, ([key]) => isStateKey(phase.mode, `${key}`))
    }
  },
  good: `
oatf: "0.1"
attack:
  severity: critical
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
  mistake: ['severity: critical', 'severity: extreme'],
  path: 'attack.severity',
}

/** A shape reduced to its enumerations, except for tiers; everything else may be anything. */
function enumerationsOf(shape: Shape): Shape | undefined {
  if (shape === tierShape) return undefined
  if (shape.kind === 'enumeration') return shape
  if (shape.kind === 'list') {
    const item = enumerationsOf(shape.item)
    // Another rule reports a list of mappings that is not a list.
    return item && (item.kind === 'enumeration' ? shapes.list(item) : shapes.some(item))
  }
  if (shape.kind === 'choice') {
    const [mapping, other] = [enumerationsOf(shape.mapping), enumerationsOf(shape.other)]
    return (mapping ?? other) && shapes.choice(mapping ?? shapes.value, other ?? shapes.value, shape.keys)
  }
  if (shape.kind !== 'object') return undefined
  const fields = Object.entries(shape.fields).flatMap(([name, { shape: inner, required }]) => {
    const left = enumerationsOf(inner)
    if (left === undefined) return []
    return [[name, left.kind === 'enumeration' && required ? shapes.required(left) : shapes.optional(left)] as const]
  })
  return fields.length === 0 ? undefined : shapes.choice(shapes.object(Object.fromEntries(fields), 'any'), shapes.value)
}

const inDocument = enumerationsOf(documentShape) ?? shapes.value
const inState = enumerationsOf(stateEnumerations) ?? shapes.value
