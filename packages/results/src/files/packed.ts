/** Results whose attacks are compressed in memory, for reports on thousands of runs. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type Diagnostic, ok, type Result } from '@joust/source'
import type { Redacted } from '../model/redacted.ts'
import type { AttackResults, Results } from '../model/results.ts'
import { type StoredResults, scanResults } from './folder.ts'

/**
 * Reads results from a folder or file like `loadResults`, but takes a tenth of the memory. Each access to an attack
 * returns a new copy, so use it for a few passes in order.
 *
 * @example
 * const { results } = unwrap(await loadPackedResults('out'))
 */
export async function loadPackedResults(path: string): Promise<Result<StoredResults, Diagnostic[]>> {
  const read = await scanResults(path, pack)
  if (!read.ok) return read
  const { folder, results } = read.value
  const targets = results.targets.map((target) => ({ ...target, attacks: unpackedOnAccess(target.attacks) }))
  // Redacted by the writer of the file, as for `loadResults`.
  return ok({ folder, results: { ...results, targets } as Results as Redacted<Results> })
}

function pack(attack: AttackResults): Uint8Array {
  // Copied, because zlib returns a view of a larger buffer.
  return new Uint8Array(deflateRawSync(JSON.stringify(attack), { level: 1 }))
}

function unpackedOnAccess(packed: readonly Uint8Array[]): readonly AttackResults[] {
  const get = (all: object, key: string | symbol): unknown => {
    const value: unknown = Reflect.get(all, key)
    return value instanceof Uint8Array ? JSON.parse(inflateRawSync(value).toString()) : value
  }
  // The elements that `get` returns are attacks.
  return new Proxy(packed, { get }) as unknown as readonly AttackResults[]
}
