/** What the agent is to fall for: as the document names it (`x-joust-bait`), else a guess. */
import { formatPath, isList, type Path, valueAt } from '@joust/source'
import type { Walk } from '../rules/walk.ts'
import { guessBait } from './guess.ts'
import { isFetched, isPrefix, type Planted, plantedIn } from './planted.ts'

/** The extension on the attack. */
export const BAIT = 'x-joust-bait'

/** One bait: a planted thing, or the part of one that the document names. */
export interface Bait {
  readonly path: string
  /** What holds it: several things, where the path stands above them. */
  readonly items: readonly Planted[]
}

interface Baits {
  readonly baits: readonly Bait[]
  readonly guessed: boolean
  /** What must have been sent besides, each of them, before a guess is good for a pass. */
  readonly needed: readonly Bait[]
}

/** What is wrong with a bait as it is named, and where. */
interface BaitFault {
  readonly path: Path
  readonly message: string
}

/** The baits; paths that lead nowhere are left out, and `baitFaults` reports them. */
export function baitsIn(walk: Walk, planted: readonly Planted[]): Baits {
  const named = namedPaths(walk)
  const baits = named.flatMap((text) => {
    const items = itemsAt(text, walk, planted)
    return items.length === 0 ? [] : [{ path: text, items }]
  })
  // An author who names a bait means no other, even where the path leads nowhere.
  if (Object.hasOwn(walk.attack, BAIT)) return { baits, guessed: false, needed: [] }
  const guess = guessBait(walk, planted)
  return {
    baits: guess.baits.map((item) => ({ path: item.path, items: [item] })),
    guessed: true,
    needed: guess.needed.map((items) => ({ path: items[0]?.path ?? '', items })),
  }
}

/** Every fault of `x-joust-bait`. */
export function baitFaults(walk: Walk, planted: readonly Planted[]): BaitFault[] {
  const given = walk.attack[BAIT]
  if (given === undefined) return []
  const at: Path = ['attack', BAIT]
  if (!isList(given) || given.length === 0)
    return [{ path: at, message: 'expected a list of paths to what the agent is meant to fall for' }]
  return given.flatMap((text, index): BaitFault[] => {
    const path = [...at, index]
    if (typeof text !== 'string') return [{ path, message: 'a bait is named by its path in the document, as a string' }]
    if (itemsAt(text, walk, planted).length > 0) return []
    const place = parsePath(text)
    const there = place !== undefined && valueAt(walk.document, place) !== undefined
    return [{ path, message: there ? `${text} is never sent to the agent` : `there is no ${text} in the document` }]
  })
}

function namedPaths({ attack }: Walk): string[] {
  const given = attack[BAIT]
  return isList(given) ? given.filter((path) => typeof path === 'string') : []
}

/** What a path names: part of a planted thing, one itself, those below it that have to be fetched, else all below. */
function itemsAt(text: string, walk: Walk, planted: readonly Planted[]): Planted[] {
  const found = itemsBelow(text, walk, planted)
  if (found.length > 0) return found
  // Normalization gives every document actors; a path written without them means the same.
  const normal = text
    .replace(/^attack\.execution\.state\b/, 'attack.execution.phases[0].state')
    .replace(/^attack\.execution\.phases\b/, 'attack.execution.actors[0].phases')
  return normal === text ? [] : itemsBelow(normal, walk, planted)
}

function itemsBelow(text: string, { document }: Walk, planted: readonly Planted[]): Planted[] {
  const path = parsePath(text)
  const value = path === undefined ? undefined : valueAt(document, path)
  if (path === undefined || value === undefined) return []
  const above = planted.filter(({ at }) => isPrefix(at, path))
  const deepest = above.reduce((most, { at }) => Math.max(most, at.length), 0)
  const holder = above.find(({ at }) => at.length === deepest)
  if (holder !== undefined) {
    // A path to the thing itself names all of it; a path below it names just that part.
    return [holder.at.length === path.length ? holder : { ...holder, at: path, path: text, value, whole: holder }]
  }
  const below = planted.filter(({ at }) => isPrefix(path, at))
  // Everybody gets a listing or a message; that does not suffice while something has to be fetched.
  const fetched = below.filter(isFetched)
  return fetched.length > 0 ? fetched : below
}

/** A path as diagnostics spell it. */
export function parsePath(text: string): Path | undefined {
  const steps: (string | number)[] = []
  for (const part of text.split('.')) {
    const match = /^([^[\]]*)((?:\[\d{1,9}\])*)$/.exec(part)
    if (match === null || match[1] === '') return undefined
    steps.push(match[1] ?? '', ...[...(match[2] ?? '').matchAll(/\d+/g)].map(([digits]) => Number(digits)))
  }
  return formatPath(steps) === text ? steps : undefined
}

/** Everything planted, and the baits. */
export interface Plants extends Baits {
  readonly planted: readonly Planted[]
}

/** What is planted in a document, and the part of it that the agent is to fall for. */
export function plantsIn(walk: Walk): Plants {
  const planted = plantedIn(walk)
  return { planted, ...baitsIn(walk, planted) }
}
