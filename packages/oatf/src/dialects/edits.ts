/** Edits to a plain value, and the mapping between paths before and after these edits. */
import { checkTree, cloneValue, isList, isRecord, own, type Path, setOwn, type Value, valueAt } from '@joust/source'

/**
 * `set` replaces a value, or adds a mapping key (before `before`, or last). `from` is the written path if it differs
 * from `path`. `move` moves a value: to a sibling path to rename its key, or one level down to wrap the value in a
 * mapping. `copy` keeps the original. Every `from` is a path before the edits. Edits never move list items.
 */
export type Edit =
  | {
      readonly op: 'set'
      readonly path: Path
      readonly value: Value
      readonly before?: string | undefined
      readonly from?: Path
    }
  | { readonly op: 'move' | 'copy'; readonly from: Path; readonly path: Path }
  | { readonly op: 'remove'; readonly path: Path }

/** Applies all edits in order to a copy of the value. */
export function applyEdits(value: Value, edits: readonly Edit[]): Value {
  // A value that cannot be copied cannot be edited.
  return checkTree(value).ok ? editTree(value, edits) : value
}

/** Like `applyEdits`, for a value known to be a tree, because it was parsed from text or already checked. */
export function editTree(value: Value, edits: readonly Edit[]): Value {
  if (edits.length === 0) return value
  const draft = cloneValue(value)
  for (const edit of edits) applyEdit(draft, edit)
  return draft
}

/** Maps a path to the path before the edits. */
export function pathBefore(edits: readonly Edit[]): (path: Path) => Path {
  const origins = new Map<string, Path>()
  for (const edit of edits) {
    if (edit.op !== 'remove') origins.set(keyOf(edit.path), edit.from ?? edit.path)
  }
  const moved = new Set(movesIn(edits).map(({ path }) => keyOf(path)))
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const key = keyOf(path.slice(0, length))
      const origin = origins.get(key)
      // Paths below a moved value keep their suffix. All paths below a new value have the same origin.
      if (origin !== undefined) return moved.has(key) ? [...origin, ...path.slice(length)] : origin
    }
    return path
  }
}

/** Maps a path to the paths after the edits; several if the value was copied or split. */
export function pathsAfter(edits: readonly Edit[]): (path: Path) => readonly Path[] {
  const moves = new Map<string, Path[]>()
  for (const { from, path } of movesIn(edits)) moves.set(keyOf(from), [...(moves.get(keyOf(from)) ?? []), path])
  const removedPaths = edits.flatMap((edit) => (edit.op === 'remove' ? [edit.path] : []))
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const to = moves.get(keyOf(path.slice(0, length)))
      if (to !== undefined) return to.map((place) => [...place, ...path.slice(length)])
    }
    const holder = removedPaths.find((removed) => isWithin(path, removed))
    return holder === undefined ? [path] : replacementsOf(path, holder, edits)
  }
}

/** Returns the paths that replace a removed value: the new paths of its parts, or else of values derived from it. */
function replacementsOf(path: Path, holder: Path, edits: readonly Edit[]): readonly Path[] {
  const parts = movesIn(edits).filter(({ from }) => isWithin(from, path))
  if (parts.length > 0) return parts.map((edit) => edit.path)
  const derived = edits.filter(
    (edit) => edit.op === 'set' && edit.from !== undefined && keyOf(edit.from) === keyOf(holder),
  )
  return derived.length > 0 ? derived.map((edit) => edit.path) : [path]
}

function movesIn(edits: readonly Edit[]) {
  return edits.flatMap((edit) => (edit.op === 'move' || edit.op === 'copy' ? [edit] : []))
}

function isWithin(path: Path, holder: Path): boolean {
  return keyOf(path.slice(0, holder.length)) === keyOf(holder)
}

function keyOf(path: Path): string {
  return path.join('\0')
}

type Container = Value[] | { [key: string]: Value }

function applyEdit(draft: Value, edit: Edit): void {
  if (edit.op === 'set') put(draft, edit.path, edit.value, edit.before)
  else if (edit.op === 'remove') take(draft, edit.path)
  else if (edit.op === 'copy') copy(draft, edit.from, edit.path)
  else if (isWithin(edit.path, edit.from)) wrap(draft, edit.from, edit.path)
  else if (isBeside(edit.from, edit.path)) rename(draft, edit.from, edit.path)
  else {
    const value = take(draft, edit.from)
    if (value !== undefined) put(draft, edit.path, value)
  }
}

function isBeside(a: Path, b: Path): boolean {
  return keyOf(a.slice(0, -1)) === keyOf(b.slice(0, -1)) && typeof a.at(-1) === 'string' && typeof b.at(-1) === 'string'
}

function copy(draft: Value, from: Path, to: Path): void {
  const value = valueAt(draft, from)
  if (value !== undefined) put(draft, to, cloneValue(value))
}

function wrap(draft: Value, from: Path, to: Path): void {
  const value = valueAt(draft, from)
  if (value !== undefined) put(draft, from, { [String(to.at(-1))]: value })
}

function parentOf(draft: Value, path: Path): Container | undefined {
  const at = valueAt(draft, path.slice(0, -1))
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

/** Deletes the keys that follow the new key and adds them again, to preserve the order. */
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
  // Items are not removed, because that would change the indices of others. An edit that empties a list removes the
  // list.
  if (Array.isArray(parent)) return typeof key === 'number' ? parent[key] : undefined
  const value = own(parent, String(key))
  delete parent[String(key)]
  return value
}
