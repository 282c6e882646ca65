/** Cassettes on disk: JSON lines, one file per attack and trial. */

import { closeSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, openToWrite, readBounded, writeAll } from '@joust/io'
import { markedName } from '@joust/results/files'
import { cut, messageOf, own, parseJson } from '@joust/source'
import { ArenaError, toArenaError } from '../model/errors.ts'
import { arenaLimits } from '../model/limits.ts'
import { CASSETTE_VERSION } from './recording.ts'

/** The start of every cassette. */
const MARK = '{"joust_cassette":'

/** The run of a cassette. */
export interface CassetteScope {
  /** The file of the attack, or another name. */
  readonly attack: string
  readonly trial: number
}

/** An open cassette file. */
export interface LineFile {
  /** Writes a line synchronously. Throws an `ArenaError`. */
  write(line: string): void
  close(): void
}

/** The file of a run. Distinct names stay distinct after replacing characters that file systems reject. */
export function cassettePath(folder: string, { attack, trial }: CassetteScope): string {
  return join(folder, `${markedName(attack)}.${trial}.jsonl`)
}

/** Creates a cassette or, with `append`, continues one. */
export function openLines(folder: string, scope: CassetteScope, append: boolean): LineFile {
  const path = cassettePath(folder, scope)
  const failed = (thrown: unknown) => toArenaError('cassette_failed', `${path} cannot be written`, thrown)
  const put = (text: string) => {
    if (file === undefined) throw new ArenaError('cassette_failed', `${path} is closed`)
    try {
      writeAll(file, text)
    } catch (thrown) {
      throw failed(thrown)
    }
  }
  let file: number | undefined
  try {
    makeFolder(folder)
    file = openToWrite(path, { mark: MARK, append })
  } catch (thrown) {
    throw failed(thrown)
  }
  // The line break ends a truncated line.
  put(`${append ? '\n' : ''}${JSON.stringify({ joust_cassette: CASSETTE_VERSION, ...scope })}\n`)
  return {
    write: (line) => put(`${line}\n`),
    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}

/** The values of a cassette, line by line. Truncated lines are skipped: their calls count as not recorded. */
export function readLines(folder: string, scope: CassetteScope): unknown[] {
  const path = cassettePath(folder, scope)
  const values = textOf(path, scope)
    .split('\n')
    .map(parseJson)
    .filter((value) => value !== undefined)
  const [header] = values
  const version = own(header, 'joust_cassette')
  if (typeof version !== 'number') throw new ArenaError('cassette_failed', `${path} is not a cassette`)
  if (version > CASSETTE_VERSION)
    throw new ArenaError(
      'cassette_failed',
      `${path} has version ${version}; supported versions: up to ${CASSETTE_VERSION}`,
    )
  // A continued recording has one header per part.
  const other = values.find((value) => own(value, 'joust_cassette') !== undefined && !isOf(value, scope))
  if (other !== undefined)
    throw new ArenaError('cassette_failed', `${path} was recorded for ${scopeText(other)}, not for ${scopeText(scope)}`)
  return values.slice(1)
}

function isOf(header: unknown, { attack, trial }: CassetteScope): boolean {
  return own(header, 'attack') === attack && own(header, 'trial') === trial
}

function scopeText(scope: unknown): string {
  const name = cut(String(own(scope, 'attack') ?? 'an unknown attack'), arenaLimits.peerText)
  return `${name}, trial ${String(own(scope, 'trial') ?? 'unknown')}`
}

function textOf(path: string, { attack, trial }: CassetteScope): string {
  try {
    return new TextDecoder().decode(readBounded(path, arenaLimits.cassetteBytes))
  } catch (thrown) {
    const message = `missing recording of ${attack}, trial ${trial}: ${path}: ${messageOf(thrown)}`
    throw new ArenaError('recording_missing', message, { cause: thrown })
  }
}
