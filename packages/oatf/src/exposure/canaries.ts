/** `x-joust-canaries`: document tokens that are replaced by fresh values in each run. */
import { isList, isRecord, own, type Path, setOwn, type Value } from '@joust/source'
import { put } from '../walk/put.ts'
import { type Walk, without } from '../walk/walk.ts'
import { encodedForms } from './encoded.ts'
import { literalsOf } from './guess.ts'
import { leavesOf } from './marks.ts'
import { plantedIn } from './planted.ts'

export const CANARIES = 'x-joust-canaries'

/** Minimum number of letters and digits in a token; fewer would leave too few fresh values. */
const LEAST = 8
/** Maximum number of tokens. The whole document is searched for each. */
const MOST = 32

interface CanaryFault {
  readonly path: Path
  readonly message: string
}

/** Returns the declared tokens that can be replaced. */
export function canariesIn(walk: Walk): string[] {
  return checked(walk).flatMap(({ token, fault }) => (fault === undefined ? [token] : []))
}

export function canaryFaults(walk: Walk): CanaryFault[] {
  const declared = walk.attack[CANARIES]
  if (declared === undefined) return []
  const path: Path = ['attack', CANARIES]
  if (!isList(declared) || declared.length === 0) return [{ path, message: 'expected a list of tokens' }]
  if (declared.length > MOST) return [{ path, message: `expected at most ${MOST} tokens, got ${declared.length}` }]
  return checked(walk).flatMap(({ index, fault }) =>
    fault === undefined ? [] : [{ path: [...path, index], message: fault }],
  )
}

/** A declared token. If `fault` is set, the token is not replaced. */
interface Declared {
  readonly token: string
  readonly index: number
  readonly fault: string | undefined
}

function checked(walk: Walk): Declared[] {
  const declared = walk.attack[CANARIES]
  if (!isList(declared) || declared.length > MOST) return []
  const tokens = declared.filter((token) => typeof token === 'string')
  const places = placesIn(walk)
  return declared.map((token, index) =>
    typeof token === 'string'
      ? { token, index, fault: faultOf(token, tokens, declared.indexOf(token) < index, places) }
      : { token: '', index, fault: 'expected a token as a string' },
  )
}

export function possibleCanaries(walk: Walk): string[] {
  const places = placesIn(walk)
  return [...new Set(literalsOf(walk))]
    .slice(0, MOST)
    .filter((token) => faultOf(token, [], false, places) === undefined)
}

/** The texts of a document that may contain tokens. */
interface Places {
  readonly planted: readonly string[]
  readonly indicators: readonly string[]
  readonly all: readonly string[]
  readonly keys: readonly string[]
}

function placesIn({ attack, indicators, ...walk }: Walk): Places {
  const parts = ['execution', 'indicators', 'x-joust-files'].map((key) => textsIn(own(attack, key)))
  const methods = ['pattern', 'expression', 'semantic']
  return {
    planted: plantedIn({ attack, ...walk }).flatMap(({ value }) => leavesOf(value).texts),
    indicators: indicators.flatMap(({ value }) => methods.flatMap((key) => textsIn(own(value, key)).texts)),
    all: parts.flatMap(({ texts }) => texts),
    keys: parts.flatMap(({ keys }) => keys),
  }
}

function faultOf(token: string, tokens: readonly string[], isRepeated: boolean, places: Places): string | undefined {
  const size = token.replaceAll(/[^0-9A-Za-z]/g, '').length
  if (size < LEAST) return `${token} has ${size} letters and digits; expected at least ${LEAST}`
  if (isRepeated) return `duplicate token ${token}`
  const larger = tokens.find((other) => other !== token && other.includes(token))
  if (larger !== undefined) return `${token} is part of the token ${larger}`
  const isIn = (texts: readonly string[]) => texts.some((text) => text.includes(token))
  if (!isIn(places.all)) return `unknown token ${token}: the document does not contain it`
  if (!isIn(places.planted)) return `${token} is never sent to the agent`
  if (!isIn(places.indicators)) return `no indicator contains ${token}`
  if (isIn(places.keys)) return `${token} is part of a key, which cannot be replaced`
  const isElsewhere = places.all.some((text) => timesIn(text.toLowerCase(), token.toLowerCase()) > timesIn(text, token))
  if (isElsewhere) return `${token} also occurs with different letter case, which cannot be replaced`
  const forms = encodedForms(token)
  const isEncoded = places.all.some((text) => forms.some((form) => text.includes(form)))
  return isEncoded ? `${token} also occurs in an encoded text, which cannot be replaced` : undefined
}

function timesIn(text: string, token: string): number {
  return text.split(token).length - 1
}

/** Counts the occurrences of a token in the execution of a document. */
export function timesExecuted(document: Value, token: string): number {
  const { texts } = textsIn(own(own(document, 'attack'), 'execution'))
  return texts.reduce((sum, text) => sum + timesIn(text, token), 0)
}

function textsIn(root: Value | undefined): { readonly texts: string[]; readonly keys: string[] } {
  const texts: string[] = []
  const keys: string[] = []
  const pending: Value[] = root === undefined ? [] : [root]
  for (let here = pending.pop(); here !== undefined; here = pending.pop()) {
    if (typeof here === 'string') texts.push(here)
    else if (isList(here)) for (const item of here) pending.push(item)
    else if (isRecord(here)) {
      keys.push(...Object.keys(here))
      for (const item of Object.values(here)) pending.push(item)
    }
  }
  return { texts, keys }
}

/** Removes the declared tokens that are not kept, from a private copy of a document. */
export function keepCanaries(root: Value, isKept: (token: string) => boolean): Value {
  const attack = own(root, 'attack')
  const declared = own(attack, CANARIES)
  if (!isRecord(attack) || !isList(declared)) return root
  const tokens = declared.filter((token) => typeof token === 'string' && isKept(token))
  const rest = without(attack, CANARIES)
  put(root, ['attack'], tokens.length === 0 ? rest : { ...rest, [CANARIES]: tokens })
  return root
}

/** Replaces tokens in the given sections of the attack, except in indicator ids. */
export function withTokens(
  document: Value,
  substitution: ReadonlyMap<string, string>,
  parts: readonly string[],
): Value {
  const attack = own(document, 'attack')
  if (!isRecord(document) || !isRecord(attack)) return document
  const pattern = new RegExp([...substitution.keys()].map(escaped).join('|'), 'g')
  const replace = (text: string) => text.replaceAll(pattern, (token) => substitution.get(token) ?? token)
  const changed = mapEntries(attack, (key, value) => (parts.includes(key) ? mapTexts(value, replace) : value))
  return mapEntries(document, (key, value) => (key === 'attack' ? changed : value))
}

function escaped(token: string): string {
  return token.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

function mapTexts(value: Value, replace: (text: string) => string): Value {
  if (typeof value === 'string') return replace(value)
  if (isList(value)) return value.map((item) => mapTexts(item, replace))
  if (!isRecord(value)) return value
  const isIndicator = Object.hasOwn(value, 'surface')
  return mapEntries(value, (key, item) => (isIndicator && key === 'id' ? item : mapTexts(item, replace)))
}

function mapEntries(record: object, change: (key: string, value: Value) => Value): Value {
  const result: Record<string, Value> = {}
  for (const [key, value] of Object.entries(record)) setOwn(result, key, change(key, value))
  return result
}
