import { describeValue, InvalidInput, isRecord } from '@joust/source'
import type { LoadedAttack } from './loaded-attack.ts'

/**
 * Throws `InvalidInput` for a value that is not from `load`. Untyped callers may pass a text, a document or a result.
 *
 * @example
 * requireLoaded(attack, 'myFunction')
 */
export function requireLoaded(attack: unknown, caller: string): asserts attack is LoadedAttack {
  if (isRecord(attack) && isRecord(attack.document) && 'walk' in attack) return
  throw new InvalidInput(`${caller} expects an attack from load(), got ${described(attack)}`)
}

function described(value: unknown): string {
  if (value === undefined) return 'undefined'
  if (typeof value === 'function') return 'a function'
  if (!isRecord(value)) return describeValue(value)
  if ('ok' in value) return 'a result; unwrap() it first'
  return 'attack' in value ? 'a document; load() it first' : describeValue(value)
}
