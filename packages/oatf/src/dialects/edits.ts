/** What a translation changes, as edits of a plain value, and the way back from the new value to the text. */
import { cloneValue, isList, isRecord, own, type Path, setOwn, treeFault, type Value } from '@joust/source'

/**
 * `set` puts a value in the place of another, or into a mapping as a new key (ahead of the key `before`, else last); `from`
 * says where an author wrote what it says, if not at `path`. `move` takes a value elsewhere: beside itself it is a new name.
 * `from` counts in the value that the edits are made for, and no edit moves the items of a list.
 */
export type Edit =
  | {
      readonly op: 'set'
      readonly path: Path
      readonly value: Value
      readonly before?: string | undefined
      readonly from?: Path
    }
  | { readonly op: 'move'; readonly from: Path; readonly path: Path }
  | { readonly op: 'remove'; readonly path: Path }

/** The value with all edits made, in their order. The value that was given stays as it is. */
export function applyEdits(value: Value, edits: readonly Edit[]): Value {
  // What cannot be copied cannot be changed either.
  if (edits.length === 0 || treeFault(value) !== undefined) return value
  const draft = cloneValue(value)
  for (const edit of edits) applyEdit(draft, edit)
  return draft
}

/** Where the value at a path stood before some edits were made. */
export function wayBack(edits: readonly Edit[]): (path: Path) => Path {
  const origins = new Map<string, Path>()
  for (const edit of edits) {
    if (edit.op !== 'remove') origins.set(keyOf(edit.path), edit.from ?? edit.path)
  }
  const moved = new Set(edits.filter(({ op }) => op === 'move').map(({ path }) => keyOf(path)))
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const key = keyOf(path.slice(0, length))
      const origin = origins.get(key)
      // Below what was moved everything is as it was; below what is new there is nothing else to point at.
      if (origin !== undefined) return moved.has(key) ? [...origin, ...path.slice(length)] : origin
    }
    return path
  }
}

/** Where the value at a path stands after some edits were made. */
export function wayOn(edits: readonly Edit[]): (path: Path) => Path {
  const moves = new Map(edits.flatMap((edit) => (edit.op === 'move' ? [[keyOf(edit.from), edit.path] as const] : [])))
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const to = moves.get(keyOf(path.slice(0, length)))
      if (to !== undefined) return [...to, ...path.slice(length)]
    }
    return path
  }
}

function keyOf(path: Path): string {
  return path.join('\0')
}

type Container = Value[] | { [key: string]: Value }

function applyEdit(draft: Value, edit: Edit): void {
  if (edit.op === 'set') put(draft, edit.path, edit.value, edit.before)
  else if (edit.op === 'remove') take(draft, edit.path)
  else if (isBeside(edit.from, edit.path)) rename(draft, edit.from, edit.path)
  else {
    const value = take(draft, edit.from)
    if (value !== undefined) put(draft, edit.path, value)
  }
}

function isBeside(a: Path, b: Path): boolean {
  return keyOf(a.slice(0, -1)) === keyOf(b.slice(0, -1)) && typeof a.at(-1) === 'string' && typeof b.at(-1) === 'string'
}

function parentOf(draft: Value, path: Path): Container | undefined {
  let at: Value | undefined = draft
  for (const step of path.slice(0, -1)) {
    if (isList(at)) at = typeof step === 'number' ? at[step] : undefined
    else at = isRecord(at) ? own(at, String(step)) : undefined
  }
  // The draft is a private copy.
  return isList(at) || isRecord(at) ? (at as Container) : undefined
}

function put(draft: Value, path: Path, value: Value, before?: string): void {
  const parent = parentOf(draft, path)
  const key = path.at(-1)
  if (parent === undefined || key === undefined) return
  if (Array.isArray(parent)) {
    if (typeof key === 'number') parent[key] = value
    return
  }
  const isNew = !Object.hasOwn(parent, String(key))
  setOwn(parent, String(key), value)
  if (isNew && before !== undefined && Object.hasOwn(parent, before)) reorder(parent, String(key), before)
}

/** Keys that come after a new one are put in again, which makes them come after it. */
function reorder(record: { [key: string]: Value }, key: string, before: string): void {
  const keys = Object.keys(record)
  for (const later of keys.slice(keys.indexOf(before))) {
    if (later === key) continue
    const value = record[later] as Value
    delete record[later]
    setOwn(record, later, value)
  }
}

function rename(draft: Value, from: Path, to: Path): void {
  const parent = parentOf(draft, from)
  const key = String(from.at(-1))
  if (parent === undefined || Array.isArray(parent) || !Object.hasOwn(parent, key)) return
  const value = parent[key] as Value
  put(draft, to, value, key)
  delete parent[key]
}

function take(draft: Value, path: Path): Value | undefined {
  const parent = parentOf(draft, path)
  const key = path.at(-1)
  if (parent === undefined || key === undefined) return undefined
  // Items stay, so that the others keep their places; whoever empties a list removes it.
  if (Array.isArray(parent)) return typeof key === 'number' ? parent[key] : undefined
  const value = own(parent, String(key))
  delete parent[String(key)]
  return value
}
