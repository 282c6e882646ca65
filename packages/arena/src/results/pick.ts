/** A value cut to a shape: its fields in the order of the table, nothing else. */
import {
  isList,
  isRecord,
  type ObjectShape,
  own,
  type Shape,
  setOwn,
  type Value,
  type ValueRecord,
} from '@joust/source'

/** What becomes of each text while a value is copied. */
type Rewrite = (text: string) => string

/** A copy with the known fields only. Goes as deep as the shape does; `prose` rewrites what others have said. */
export function pick(value: Value, shape: Shape, prose: Rewrite = (text) => text): Value {
  if (shape.kind === 'prose') return typeof value === 'string' ? prose(value) : value
  if (shape.kind === 'list' && isList(value)) return value.map((item) => pick(item, shape.item, prose))
  if (shape.kind === 'map' && isRecord(value)) return pickAll(value, shape.item, prose)
  if (shape.kind === 'object' && isRecord(value)) return pickFields(value, shape, prose)
  return value
}

function pickFields(record: ValueRecord, { fields }: ObjectShape, prose: Rewrite): Value {
  const picked: ValueRecord = {}
  for (const [name, { shape }] of Object.entries(fields)) {
    const value = own(record, name)
    if (value !== undefined) setOwn(picked, name, pick(value, shape, prose))
  }
  return picked
}

function pickAll(record: ValueRecord, item: Shape, prose: Rewrite): Value {
  const picked: ValueRecord = {}
  for (const name of Object.keys(record).sort()) setOwn(picked, name, pick(record[name] ?? null, item, prose))
  return picked
}
