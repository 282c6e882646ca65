/** Cassettes on disk: JSON lines, one file for each attack and trial. */
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, openToWrite, readBounded, writeAll } from '@joust/io'
import { cut, messageOf, own, parseJson } from '@joust/source'
import { ArenaError, toArenaError } from '../model/errors.ts'
import { markedName } from '../model/file-names.ts'
import { arenaLimits } from '../model/limits.ts'
import { CASSETTE_VERSION } from './recording.ts'

/** How every cassette begins. */
const MARK = '{"joust_cassette":'

/** Which run a cassette belongs to. */
export interface CassetteScope {
  /** The file of the attack, or another name. */
  readonly attack: string
  readonly trial: number
}

/** Where lines go, one at a time. */
export interface LineFile {
  /** Writes a line; the operating system has it when this returns. Throws an `ArenaError`. */
  write(line: string): void
  close(): void
}

/** The file of a run. Names stay distinct even if they differ only in characters that a file system cannot hold. */
export function cassettePath(folder: string, { attack, trial }: CassetteScope): string {
  return join(folder, `${markedName(attack)}.${trial}.jsonl`)
}

/** Begins a cassette or, with `append`, continues it. */
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
  // The break ends a line that was cut off earlier.
  put(`${append ? '\n' : ''}${JSON.stringify({ joust_cassette: CASSETTE_VERSION, ...scope })}\n`)
  return {
    write: (line) => put(`${line}\n`),
    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}

/** The values of a cassette, line by line. A line that was cut off is left out: its call counts as not recorded. */
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
    throw new ArenaError('cassette_failed', `${path} has version ${version}; this reads up to ${CASSETTE_VERSION}`)
  // A recording that is continued has a header for each part.
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
    const message = `there is no recording of ${attack}, trial ${trial}: ${path}: ${messageOf(thrown)}`
    throw new ArenaError('recording_missing', message, { cause: thrown })
  }
}
