import { checkShape, type Path, type Shape, shapes, type Value } from '@joust/source'
import { documentShape, stateEnumerations, tierShape } from '../../model/document.ts'
import { isStateKey } from '../../walk/walk.ts'
import type { Rule } from '../rule.ts'

export const closedEnums: Rule = {
  summary: 'Every value of a closed enumeration is one of its members (a separate rule checks tiers).',
  check(walk, report) {
    const check = (value: Value, shape: Shape, at: Path, concerns = (_path: Path) => true) => {
      for (const { path, message, meant: correction } of checkShape(value, shape)) {
        if (concerns(path)) report([...at, ...path], message, { correction })
      }
    }
    check(walk.document, inDocument, [])
    for (const { path, value, phase } of walk.states)
      check(value, inState, path, ([key]) => isStateKey(phase.mode, `${key}`))
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

/** Reduces a shape to its enumerations, except tiers. */
function enumerationsOf(shape: Shape): Shape | undefined {
  if (shape === tierShape) return undefined
  if (shape.kind === 'enumeration') return shape
  if (shape.kind === 'list') {
    const item = enumerationsOf(shape.item)
    // Another rule reports a value that should be a list of mappings.
    return item && (item.kind === 'enumeration' ? shapes.list(item) : shapes.some(item))
  }
  if (shape.kind === 'choice') {
    const [mapping, other] = [enumerationsOf(shape.mapping), enumerationsOf(shape.other)]
    return (mapping ?? other) && shapes.choice(mapping ?? shapes.value, other ?? shapes.value, shape.keys)
  }
  if (shape.kind !== 'object') return undefined
  const fields = Object.entries(shape.fields).flatMap(([name, { shape: inner, required }]) => {
    const enumeration = enumerationsOf(inner)
    if (enumeration === undefined) return []
    return [
      [
        name,
        enumeration.kind === 'enumeration' && required ? shapes.required(enumeration) : shapes.optional(enumeration),
      ] as const,
    ]
  })
  return fields.length === 0 ? undefined : shapes.choice(shapes.object(Object.fromEntries(fields), 'any'), shapes.value)
}

const inDocument = enumerationsOf(documentShape) ?? shapes.value
const inState = enumerationsOf(stateEnumerations) ?? shapes.value
