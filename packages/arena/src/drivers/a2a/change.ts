/** Copies of records with some of their fields changed. */
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'

/** The field under `key`, changed, where it holds a record. */
export function changed(holder: ValueRecord, key: string, change: (value: ValueRecord) => Value): ValueRecord {
  const value = own(holder, key)
  return isRecord(value) ? { [key]: change(value) } : {}
}

/** The same for every record of a list. */
export function changedAll(holder: ValueRecord, key: string, change: (value: ValueRecord) => Value): ValueRecord {
  const values = own(holder, key)
  return isList(values) ? { [key]: values.map((value) => (isRecord(value) ? change(value) : value)) } : {}
}
