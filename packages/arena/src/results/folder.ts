/** `joust-results/<run>/`: where results and traces are kept. */
import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { beginsWith, makeFolder, pathInside, readBounded, replaceOwn } from '@joust/io'
import { type Diagnostic, err, messageOf, ok, type Result } from '@joust/source'
import { diagnostic } from '../model/diagnostics.ts'
import { arenaLimits } from '../model/limits.ts'
import type { Redacted } from '../model/redacted.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import { readTrace } from '../trace/file.ts'
import type { ReadTraceOptions, TraceItem } from '../trace/read.ts'
import { RESULTS_VERSION, type Results } from './model.ts'
import { readResults, writeResults } from './read.ts'

/** The folder that holds those of runs, in the working folder. */
export const RESULTS_HOME = 'joust-results'

/** The file in a folder of results. */
export const RESULTS_FILE = 'results.json'

/** Results that were read, and the folder that their traces are relative to. */
export interface StoredResults {
  readonly folder: string
  readonly results: Redacted<Results>
}

/** How every file of results begins, as `writeResults` writes it. */
export const RESULTS_MARK = `{\n  "version": ${RESULTS_VERSION},\n  "joust":`

/** Writes `results.json` in one step: nobody ever sees half of it. Returns its path. */
export function saveResults(folder: string, results: Redacted<Results>): Result<string, Diagnostic> {
  const path = join(folder, RESULTS_FILE)
  try {
    makeFolder(folder)
    replaceOwn(path, writeResults(results), (there) => beginsWith(there, RESULTS_MARK))
    return ok(path)
  } catch (thrown) {
    return err(diagnostic('results-unwritable', `${path}: ${messageOf(thrown)}`))
  }
}

/** Reads the results of a folder, or of a file. */
export async function loadResults(path: string): Promise<Result<StoredResults, Diagnostic[]>> {
  let isFolder = false
  try {
    isFolder = (await stat(path)).isDirectory()
    const file = isFolder ? join(path, RESULTS_FILE) : path
    const read = readResults(
      new TextDecoder('utf-8', { fatal: true }).decode(readBounded(file, arenaLimits.resultsBytes)),
    )
    // Whoever wrote the file has hidden the secrets of that run; those of others cannot be known here.
    return read.ok ? ok({ folder: dirname(resolve(file)), results: read.value as Redacted<Results> }) : read
  } catch (thrown) {
    const reason = isFolder ? `its ${RESULTS_FILE}: ${reasonOf(thrown)}` : reasonOf(thrown)
    const nothing = isFolder && isMissing(thrown)
    return err([diagnostic('results-unreadable', nothing ? `the folder holds no ${RESULTS_FILE}` : reason)])
  }
}

/** The entries in texts that a trace writer wrote; broken lines are left out. */
export async function writtenEntries(texts: readonly string[]): Promise<Redacted<TraceEntry>[]> {
  const entries: Redacted<TraceEntry>[] = []
  for (const text of texts) {
    for await (const item of readTrace({ text })) {
      // Nothing else is ever given to a writer.
      if (item.ok) entries.push(item.value as Redacted<TraceEntry>)
    }
  }
  return entries
}

/**
 * The trace that results name. Results may come from anybody: a name that leads out of their folder, by itself or
 * through a link, is not followed. A trace that cannot be opened is a broken item, just like a broken line.
 */
export async function* openTrace(
  folder: string,
  name: string,
  options: ReadTraceOptions = {},
): AsyncGenerator<TraceItem, void, undefined> {
  try {
    const path = await pathInside(folder, name)
    if (path === undefined) yield broken(`the trace ${JSON.stringify(name)} is not inside the folder of its results`)
    else yield* readTrace(path, options)
  } catch (thrown) {
    yield broken(`the trace ${JSON.stringify(name)} cannot be read: ${reasonOf(thrown)}`)
  }
}

function reasonOf(thrown: unknown): string {
  // Thrown by the decoder.
  if (thrown instanceof TypeError) return 'this is not UTF-8 text'
  return isMissing(thrown) ? 'there is no such file' : messageOf(thrown)
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'
}

function broken(message: string): TraceItem {
  return err(diagnostic('trace-failed', message))
}
