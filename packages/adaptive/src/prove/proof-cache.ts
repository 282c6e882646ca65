import { lstatSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, readBounded, replaceFile } from '@joust/io'
import { simulationVersion } from '@joust/sim'
import { fingerprint, joustVersion, own, parseJson } from '@joust/source'
import { adaptiveLimits } from '../limits.ts'
import type { PositiveControl } from './positive-control.ts'

/** The conditions of a positive control. */
export interface ProofKey {
  readonly fingerprint: string
  /** The model that judges semantic indicators. Undefined if the document has no semantic indicators. */
  readonly judge?: string
  readonly strict?: boolean
}

/** Positive-control results by their conditions, shared by all of a user's processes. Neither method throws. */
export interface ProofCache {
  read(key: ProofKey): Pick<PositiveControl, 'proven' | 'unspecific'> | undefined
  write(key: ProofKey, result: Pick<PositiveControl, 'proven' | 'unspecific'>): void
}

/**
 * Opens a cache in a folder, which is created with the first entry. Corrupt entries and entries of a different version
 * are ignored, as are all entries in a folder that another user can write to.
 *
 * @example
 * const prover = createProver({ cache: createProofCache('.cache/proofs') })
 */
export function createProofCache(folder: string): ProofCache {
  let isPruned = false
  return {
    read(key) {
      try {
        return isPrivate(folder) ? entryIn(readText(join(folder, nameOf(key))), key) : undefined
      } catch {
        // The entry is usually just missing.
        return undefined
      }
    },
    write(key, { proven, unspecific }) {
      try {
        makeFolder(folder)
        if (!isPrivate(folder)) return
        if (!isPruned) prune(folder)
        isPruned = true
        const text = JSON.stringify({ ...conditionsOf(key), proven, unspecific })
        replaceFile(join(folder, nameOf(key)), `${text}\n`, 0o600)
      } catch {
        // Without a cache entry, the control runs again next time.
      }
    },
  }
}

function conditionsOf({ fingerprint, judge = '', strict = false }: ProofKey) {
  return { joust_proof: 1, joust: joustVersion, simulation: simulationVersion, fingerprint, judge, strict }
}

function nameOf(key: ProofKey): string {
  return `${fingerprint(JSON.stringify(conditionsOf(key)))}.json`
}

function readText(path: string): string {
  return Buffer.from(readBounded(path, adaptiveLimits.proofBytes)).toString('utf8')
}

function entryIn(text: string, key: ProofKey): ReturnType<ProofCache['read']> {
  const entry = parseJson(text)
  const isSame = Object.entries(conditionsOf(key)).every(([name, condition]) => own(entry, name) === condition)
  const [proven, unspecific] = [own(entry, 'proven'), own(entry, 'unspecific')]
  if (!isSame || typeof proven !== 'boolean' || typeof unspecific !== 'boolean') return undefined
  return { proven, unspecific }
}

/** True if only this user can write to the folder. On Windows, the cache is in the user's profile. */
function isPrivate(folder: string): boolean {
  const stats = statSync(folder)
  return process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o022) === 0)
}

/** Removes the older half of the entries if the cache is full. */
function prune(folder: string): void {
  const names = readdirSync(folder)
  if (names.length < adaptiveLimits.proofs) return
  const aged = names.map((name) => ({ name, time: lstatSync(join(folder, name)).mtimeMs }))
  const oldest = aged.toSorted((a, b) => a.time - b.time).slice(0, names.length / 2)
  for (const { name } of oldest) rmSync(join(folder, name), { force: true })
}
