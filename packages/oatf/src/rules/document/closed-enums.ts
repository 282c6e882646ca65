import { chosen, describeValue, isList, isRecord, own, type Shape, suggestions, type Value } from '@joust/source'
import { documentShape, stateEnumerations } from '../../model/shapes.ts'
import type { Report, Rule } from '../rule.ts'

export const closedEnums: Rule = {
  summary: 'Every value of a closed enumeration is one of its members.',
  check(walk, report) {
    const visit = visitor(report)
    visit(walk.document, inDocument, [])
    for (const { path, value } of walk.states) visit(value, stateEnumerations, [...path])
  },
  good: `
oatf: "0.1"
attack:
  severity: critical
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
  bad: `
oatf: "0.1"
attack:
  severity: extreme
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
  path: 'attack.severity',
}

/** What is left of a shape when nothing but its enumerations counts. */
function enumerationsOf(shape: Shape): Shape | undefined {
  if (shape.kind === 'enumeration') return shape
  if (shape.kind === 'list') {
    const item = enumerationsOf(shape.item)
    return item && { ...shape, item }
  }
  if (shape.kind === 'choice') {
    const [mapping, other] = [enumerationsOf(shape.mapping), enumerationsOf(shape.other)]
    return (mapping ?? other) && { ...shape, mapping: mapping ?? NONE, other: other ?? NONE }
  }
  if (shape.kind !== 'object') return undefined
  const fields = Object.entries(shape.fields).flatMap(([name, field]) => {
    const left = enumerationsOf(field.shape)
    return left === undefined ? [] : [[name, { ...field, shape: left }] as const]
  })
  return fields.length === 0 ? undefined : { ...shape, fields: Object.fromEntries(fields) }
}

const NONE: Shape = { kind: 'value' }
const inDocument = enumerationsOf(documentShape) ?? NONE

/** Goes through a value along its shape; the path is where it has come to. */
function visitor(report: Report) {
  const hint = suggestions()
  const check = (value: Value | undefined, values: readonly string[], path: (string | number)[], required: boolean) => {
    if (value === undefined ? !required : typeof value === 'string' && values.includes(value)) return
    const choices = `one of ${values.join(', ')}`
    if (value === undefined) report([...path], `the field "${path.at(-1)}" is required: ${choices}`)
    else if (typeof value !== 'string') report([...path], `expected ${choices}, got ${describeValue(value)}`)
    else report([...path], `${describeValue(value)} is not ${choices}.`, { meant: hint(value, values) })
  }
  const visit = (value: Value | undefined, shape: Shape, path: (string | number)[], required = false): void => {
    if (shape.kind === 'enumeration') check(value, shape.values, path, required)
    if (value === undefined) return
    if (shape.kind === 'choice') visit(value, chosen(shape, value), path)
    if (shape.kind === 'list') visitList(value, shape.item, path)
    if (shape.kind !== 'object' || !isRecord(value)) return
    for (const name of Object.keys(shape.fields)) {
      const field = shape.fields[name]
      if (field === undefined) continue
      path.push(name)
      visit(own(value, name), field.shape, path, field.required)
      path.pop()
    }
  }
  const visitList = (value: Value, item: Shape, path: (string | number)[]) => {
    if (!isList(value)) {
      if (item.kind !== 'enumeration') return
      return report([...path], `expected a list of ${item.values.join(', ')}, got ${describeValue(value)}`)
    }
    for (const [index, each] of value.entries()) {
      path.push(index)
      visit(each, item, path)
      path.pop()
    }
  }
  return visit
}
