/** `x-joust-placebo`: harmless replacements for the bait, by the paths of `x-joust-bait`. */
import {
  cloneValue,
  deepEqual,
  isList,
  isRecord,
  kindOf,
  own,
  type Path,
  setOwn,
  type Value,
  valueAt,
} from '@joust/source'
import { put } from '../walk/put.ts'
import type { Walk } from '../walk/walk.ts'
import { BAIT, namedPaths, placeOf } from './bait.ts'
import { keepCanaries, timesExecuted } from './canaries.ts'
import { literalsOf } from './guess.ts'

export const PLACEBO = 'x-joust-placebo'

/** Minimum length of a literal; shorter ones are too common. */
const LEAST = 3

interface Replacement {
  readonly path: string
  readonly at: Path
  readonly value: Value
}

interface PlaceboFault {
  readonly path: Path
  readonly message: string
}

/** Returns the declared replacements, except invalid ones. */
export function replacementsIn(walk: Pick<Walk, 'document' | 'attack'>): Replacement[] {
  const declared = walk.attack[PLACEBO]
  if (!isRecord(declared)) return []
  return Object.entries(declared).flatMap(([path, value]) => {
    const at = placeOf(path, walk)
    return at === undefined || placeFault(path, value, walk) !== undefined ? [] : [{ path, at, value }]
  })
}

/** Applies the declared replacements to a document and removes the declaration, because a placebo does not have one. */
export function withReplacements(document: Value): Value {
  const attack = own(document, 'attack')
  if (!isRecord(document) || !isRecord(attack)) return document
  const root = cloneValue(document)
  for (const { at, value } of replacementsIn({ document, attack })) put(root, at, cloneValue(value))
  // Drops tokens that occurred only in the bait.
  return keepCanaries(withoutPlacebo(root), (token) => timesExecuted(root, token) > 0)
}

export function withoutPlacebo(root: Value): Value {
  const attack = own(root, 'attack')
  if (!isRecord(attack)) return root
  const rest: Record<string, Value> = {}
  for (const [key, value] of Object.entries(attack)) if (key !== PLACEBO) setOwn(rest, key, value)
  put(root, ['attack'], rest)
  return root
}

export function placeboFaults(walk: Pick<Walk, 'document' | 'attack'>): PlaceboFault[] {
  const declared = walk.attack[PLACEBO]
  if (declared === undefined) return []
  const at: Path = ['attack', PLACEBO]
  if (!isRecord(declared) || Object.keys(declared).length === 0)
    return [{ path: at, message: `expected a mapping from each path in ${BAIT} to a harmless value` }]
  const baits = namedPaths(walk)
  if (baits.length === 0) return [{ path: at, message: `a placebo requires a declared bait; add ${BAIT}` }]
  const missing = baits.filter((path) => !Object.hasOwn(declared, path))
  return [
    ...missing.map((path) => ({ path: at, message: `missing placebo for ${path}` })),
    ...Object.entries(declared).flatMap(([path, value]): PlaceboFault[] => {
      const message = placeFault(path, value, walk)
      return message === undefined ? [] : [{ path: [...at, path], message }]
    }),
  ]
}

function placeFault(path: string, value: Value, walk: Pick<Walk, 'document' | 'attack'>): string | undefined {
  const at = placeOf(path, walk)
  const bait = at === undefined ? undefined : valueAt(walk.document, at)
  if (bait === undefined) return `unknown path ${path}`
  if (!namedPaths(walk).includes(path)) return `${path} is not a path in ${BAIT}`
  if (kindOf(value) !== kindOf(bait)) return `expected ${kindOf(bait)} as in the bait, got ${kindOf(value)}`
  if (isRecord(value) && isRecord(bait) && !hasSameKeys(value, bait))
    return `expected the keys of the bait: ${Object.keys(bait).join(', ')}; got ${Object.keys(value).join(', ')}`
  if (value === '') return 'the placebo is empty'
  return deepEqual(value, bait) ? 'the placebo is identical to the bait' : undefined
}

function hasSameKeys(a: object, b: object): boolean {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key))
}

/** Returns the indicator literals in a placebo. Ignores names that the bait has at the same path. */
export function literalsIn(
  { at, value }: Omit<Replacement, 'path'>,
  walk: Pick<Walk, 'document' | 'indicators'>,
): string[] {
  const texts = textsIn(value, valueAt(walk.document, at))
  const literals = new Set(literalsOf(walk).filter((literal) => literal.trim().length >= LEAST))
  return [...literals].filter((literal) => texts.some((text) => text.toLowerCase().includes(literal.toLowerCase())))
}

function textsIn(value: Value, bait: Value | undefined): string[] {
  if (typeof value === 'string') return value === bait && !/\s/.test(value) ? [] : [value]
  if (isList(value)) return value.flatMap((item, at) => textsIn(item, isList(bait) ? bait[at] : undefined))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, valueAt(bait ?? null, [key])))
}
