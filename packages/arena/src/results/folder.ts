/** `joust-results/<run>/`: where results and traces lie. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open, realpath, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { makeFolder } from '@joust/io'
import { type Diagnostic, err, ok, type Result } from '@joust/source'
import { diagnostic } from '../model/diagnostics.ts'
import { messageOf } from '../model/errors.ts'
import { bounds } from '../model/limits.ts'
import type { Redacted } from '../model/redacted.ts'
import { readTrace } from '../trace/file.ts'
import type { TraceItem } from '../trace/read.ts'
import type { Results } from './model.ts'
import { readResults } from './read.ts'
import { writeResults } from './write.ts'

/** The file in a folder of results. */
export const RESULTS_FILE = 'results.json'

/** Results that were read, and the folder that their traces are relative to. */
export interface StoredResults {
  readonly folder: string
  readonly results: Redacted<Results>
}

/** Writes `results.json` in one step: nobody ever sees half of it. Gives its path. */
export function saveResults(folder: string, results: Redacted<Results>): Result<string, Diagnostic> {
  const path = join(folder, RESULTS_FILE)
  let temporary: string | undefined
  try {
    makeFolder(folder)
    const name = join(folder, `.${RESULTS_FILE}.${process.pid}.tmp`)
    const file = openSync(name, 'w')
    temporary = name
    try {
      writeFileSync(file, writeResults(results))
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
    return ok(path)
  } catch (thrown) {
    if (temporary !== undefined) rmSync(temporary, { force: true })
    return err(diagnostic('results-unwritable', `${path}: ${messageOf(thrown)}`))
  }
}

/** Reads the results of a folder, or of a file. */
export async function loadResults(path: string): Promise<Result<StoredResults, Diagnostic[]>> {
  let isFolder = false
  try {
    isFolder = (await stat(path)).isDirectory()
    const file = isFolder ? join(path, RESULTS_FILE) : path
    const read = readResults(await readBounded(file))
    // Nothing else is ever written to such a file.
    return read.ok ? ok({ folder: dirname(resolve(file)), results: read.value as Redacted<Results> }) : read
  } catch (thrown) {
    const nothing = isFolder && isMissing(thrown)
    return err([diagnostic('results-unreadable', nothing ? `the folder holds no ${RESULTS_FILE}` : reasonOf(thrown))])
  }
}

/**
 * The trace that results name. Results may come from anybody: a name that leads out of their folder, by itself or through
 * a link, is not followed. What cannot be opened is a broken item, as a broken line is.
 */
export async function* openTrace(folder: string, name: string): AsyncGenerator<TraceItem, void, undefined> {
  try {
    const path = await inside(folder, name)
    if (path === undefined) yield broken(`the trace ${JSON.stringify(name)} is not inside the folder of its results`)
    else yield* readTrace(path)
  } catch (thrown) {
    yield broken(`the trace ${JSON.stringify(name)} cannot be read: ${reasonOf(thrown)}`)
  }
}

async function inside(folder: string, name: string): Promise<string | undefined> {
  if (leadsOut(folder, resolve(folder, name))) return undefined
  const path = await realpath(resolve(folder, name))
  return leadsOut(await realpath(folder), path) ? undefined : path
}

function leadsOut(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
}

async function readBounded(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size > bounds.resultsBytes)
      throw new Error(`${basename(path)} has ${size} bytes; ${bounds.resultsBytes} are read at most`)
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.readFile())
  } finally {
    await file.close()
  }
}

function reasonOf(thrown: unknown): string {
  return isMissing(thrown) ? 'there is no such file' : messageOf(thrown)
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'
}

function broken(message: string): TraceItem {
  return err(diagnostic('trace-failed', message))
}
