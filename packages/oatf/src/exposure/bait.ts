/**
 * The bait, meaning the content that is meant to mislead the agent: declared with `x-joust-bait`, otherwise guessed.
 */
import { isList, type Path, parsePath, valueAt } from '@joust/source'
import type { Walk } from '../walk/walk.ts'
import { guessBait } from './guess.ts'
import { isFetched, isPrefix, type Planted, plantedIn } from './planted.ts'

export const BAIT = 'x-joust-bait'

/** A bait: a planted item, or the declared part of an item. */
export interface Bait {
  readonly path: string
  /** The items that contain the bait; several if the path is above several items. */
  readonly items: readonly Planted[]
}

interface Baits {
  readonly baits: readonly Bait[]
  readonly guessed: boolean
  /** Items that must also have been sent before a run with a guessed bait can pass. */
  readonly needed: readonly Bait[]
}

interface BaitFault {
  readonly path: Path
  readonly message: string
}

/** Returns the baits, except those with invalid paths, which `baitFaults` reports. */
export function baitsIn(walk: Walk, planted: readonly Planted[]): Baits {
  const named = namedPaths(walk)
  const baits = named.flatMap((text) => {
    const items = itemsAt(text, walk, planted)
    return items.length === 0 ? [] : [{ path: text, items }]
  })
  // A declared bait excludes guesses, even if its path does not exist.
  if (Object.hasOwn(walk.attack, BAIT)) return { baits, guessed: false, needed: [] }
  const guess = guessBait(walk, planted)
  return {
    baits: guess.baits.map((item) => ({ path: item.path, items: [item] })),
    guessed: true,
    needed: guess.needed.map((items) => ({ path: items[0]?.path ?? '', items })),
  }
}

export function baitFaults(walk: Walk, planted: readonly Planted[]): BaitFault[] {
  const declared = walk.attack[BAIT]
  if (declared === undefined) return []
  const at: Path = ['attack', BAIT]
  if (!isList(declared) || declared.length === 0) return [{ path: at, message: 'expected a list of bait paths' }]
  return declared.flatMap((text, index): BaitFault[] => {
    const path = [...at, index]
    if (typeof text !== 'string') return [{ path, message: 'expected a bait path as a string' }]
    if (itemsAt(text, walk, planted).length > 0) return []
    const place = parsePath(text)
    const there = place !== undefined && valueAt(walk.document, place) !== undefined
    return [{ path, message: there ? `the text at ${text} is never sent to the agent` : `unknown path ${text}` }]
  })
}

export function namedPaths({ attack }: Pick<Walk, 'attack'>): string[] {
  const declared = attack[BAIT]
  return isList(declared) ? declared.filter((path) => typeof path === 'string') : []
}

/**
 * Resolves a path to part of an item, an item, or the items below the path: those that must be fetched, or else all.
 */
function itemsAt(text: string, walk: Walk, planted: readonly Planted[]): Planted[] {
  const items = itemsBelow(text, walk, planted)
  const normal = normalPath(text)
  return items.length > 0 || normal === text ? items : itemsBelow(normal, walk, planted)
}

/** Converts a path to normal form. A path without actors is equivalent, because normalization adds actors. */
function normalPath(text: string): string {
  return text
    .replace(/^attack\.execution\.state\b/, 'attack.execution.phases[0].state')
    .replace(/^attack\.execution\.phases\b/, 'attack.execution.actors[0].phases')
}

/** Returns the path of a bait in a document, as written or in normal form; undefined if the path has no value. */
export function placeOf(text: string, { document }: Pick<Walk, 'document'>): Path | undefined {
  return [parsePath(text), parsePath(normalPath(text))].find(
    (path) => path !== undefined && valueAt(document, path) !== undefined,
  )
}

function itemsBelow(text: string, { document }: Walk, planted: readonly Planted[]): Planted[] {
  const path = parsePath(text)
  const value = path === undefined ? undefined : valueAt(document, path)
  if (path === undefined || value === undefined) return []
  const above = planted.filter(({ at }) => isPrefix(at, path))
  const deepest = above.reduce((most, { at }) => Math.max(most, at.length), 0)
  const holder = above.find(({ at }) => at.length === deepest)
  if (holder !== undefined) {
    // A path to an item refers to the whole item; a path below the item, only to that part.
    return [holder.at.length === path.length ? holder : { ...holder, at: path, path: text, value, whole: holder }]
  }
  const below = planted.filter(({ at }) => isPrefix(path, at))
  // Listings and messages reach every agent, so they are not enough if something has to be fetched.
  const fetched = below.filter(isFetched)
  return fetched.length > 0 ? fetched : below
}

export interface Plants extends Baits {
  readonly planted: readonly Planted[]
}

export function plantsIn(walk: Walk): Plants {
  const planted = plantedIn(walk)
  return { planted, ...baitsIn(walk, planted) }
}
