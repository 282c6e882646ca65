import {
  chosen,
  isList,
  isRecord,
  type ObjectShape,
  own,
  type Shape,
  setOwn,
  type Value,
  type ValueRecord,
  writeYaml,
} from '@joust/source'
import type { Document } from './model/document.ts'
import { documentShape } from './model/document.ts'
import { normalize } from './normalize.ts'

/**
 * Writes a document as canonical YAML ([OATF SDK §3.4](https://oatf.io/sdk/entry-points/)): normalized, `oatf` first,
 * specification order, block style, no anchors. Throws like `normalize`.
 *
 * @example
 * const yaml = serialize({ oatf: '0.1', attack: { execution: { mode: 'mcp_server', state: {} } } })
 */
export function serialize(document: Document): string {
  // A document is a plain value.
  return writeYaml(inOrder(normalize(document) as unknown as Value, documentShape))
}

function inOrder(value: Value, shape: Shape): Value {
  if (shape.kind === 'choice') return inOrder(value, chosen(shape, value))
  if (shape.kind === 'list' && isList(value)) return value.map((item) => inOrder(item, shape.item))
  if (shape.kind === 'object' && isRecord(value)) return orderFields(value, shape)
  return value
}

/**
 * Orders known fields as in the shape. An extension remains after the field that it followed, or comes first if that
 * field was removed.
 */
function orderFields(record: ValueRecord, shape: ObjectShape): Value {
  const groups = new Map<string, string[]>([['', []]])
  let group = ''
  for (const key of Object.keys(record)) {
    if (Object.hasOwn(shape.fields, key)) {
      group = key
      groups.set(key, [key])
    } else groups.get(group)?.push(key)
  }
  const ordered = {}
  for (const name of ['', ...Object.keys(shape.fields)]) {
    for (const key of groups.get(name) ?? []) {
      const value = own(record, key) as Value
      setOwn(ordered, key, key === name ? inOrder(value, shape.fields[key]?.shape ?? { kind: 'value' }) : value)
    }
  }
  return ordered as ValueRecord
}
