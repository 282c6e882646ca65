import { isList, isRecord, type Path, setOwn, type Value, valueAt } from '@joust/source'

/** Sets the value at a path whose parent exists, in a private copy of a document. */
export function put(root: Value, path: Path, value: Value): void {
  const parent = valueAt(root, path.slice(0, -1))
  const last = path.at(-1)
  // The copy is private, so its lists are mutable.
  if (typeof last === 'number' && isList(parent)) (parent as Value[])[last] = value
  else if (typeof last === 'string' && isRecord(parent)) setOwn(parent as Record<string, Value>, last, value)
}
