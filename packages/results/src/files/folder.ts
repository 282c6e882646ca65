/** Reads and writes the folder of a run, `joust-results/<run>/`, which contains its results and traces. */

import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { beginsWith, makeFolder, pathInside, readInParts, replaceOwn } from '@joust/io'
import { type Diagnostic, err, errorCode, messageOf, ok, type Result } from '@joust/source'
import { createResultsReader, resultsParts } from '../format/read.ts'
import type { ResultsWith } from '../format/shapes.ts'
import { diagnostic } from '../model/diagnostics.ts'
import { resultsLimits } from '../model/limits.ts'
import type { Redacted } from '../model/redacted.ts'
import { type AttackResults, RESULTS_VERSION, type Results } from '../model/results.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import type { ReadTraceOptions, TraceItem } from '../trace/read.ts'
import { readTrace } from './trace-file.ts'

/** The folder for all runs, relative to the working directory. */
export const RESULTS_HOME = 'joust-results'

/** The name of the results file in a run's folder. */
export const RESULTS_FILE = 'results.json'

/** Results, and the folder to which the trace paths in them are relative. */
export interface StoredResults {
  readonly folder: string
  readonly results: Redacted<Results>
}

/** The start of every results file, which identifies files that may be replaced. */
export const RESULTS_MARK = `{\n  "version": ${RESULTS_VERSION},\n  "joust":`

/**
 * Writes `results.json` atomically and returns its path.
 *
 * @example
 * const path = unwrap(saveResults('out', results))
 */
export function saveResults(folder: string, results: Redacted<Results>): Result<string, Diagnostic> {
  const path = join(folder, RESULTS_FILE)
  try {
    makeFolder(folder)
    replaceOwn(path, resultsParts(results), (existing) => beginsWith(existing, RESULTS_MARK))
    return ok(path)
  } catch (thrown) {
    return err(diagnostic('results-unwritable', `cannot write ${path}: ${messageOf(thrown)}`))
  }
}

/**
 * Reads results from a folder or file.
 *
 * @example
 * const { results } = unwrap(await loadResults('out'))
 */
export async function loadResults(path: string): Promise<Result<StoredResults, Diagnostic[]>> {
  const read = await scanResults(path, (attack) => attack)
  if (!read.ok) return read
  const { folder, results } = read.value
  // The writer of the file redacted the secrets of its run. Other secrets are unknown here.
  return ok({ folder, results: results as Results as Redacted<Results> })
}

/**
 * Reads results from a folder or file. Keeps in memory only the values that `keep` returns for attacks.
 *
 * @example
 * const { results } = unwrap(await scanResults('out', ({ file, outcome }) => ({ file, outcome })))
 */
export async function scanResults<T>(
  path: string,
  keep: (attack: AttackResults) => T,
): Promise<Result<{ readonly folder: string; readonly results: ResultsWith<T> }, Diagnostic[]>> {
  let isFolder = false
  try {
    isFolder = (await stat(path)).isDirectory()
    const file = isFolder ? join(path, RESULTS_FILE) : path
    const reader = createResultsReader(keep)
    const decoder = new TextDecoder('utf-8', { fatal: true })
    for (const part of readInParts(file, resultsLimits.resultsBytes)) reader.add(decoder.decode(part, { stream: true }))
    reader.add(decoder.decode())
    const read = reader.finish()
    return read.ok ? ok({ folder: dirname(resolve(file)), results: read.value }) : read
  } catch (thrown) {
    const reason = isFolder ? `${RESULTS_FILE} in the folder: ${reasonOf(thrown)}` : reasonOf(thrown)
    const isEmpty = isFolder && isMissing(thrown)
    return err([diagnostic('results-unreadable', isEmpty ? `the folder has no ${RESULTS_FILE}` : reason)])
  }
}

/** Parses text from a trace writer. Skips malformed lines. */
export async function writtenEntries(texts: readonly string[]): Promise<Redacted<TraceEntry>[]> {
  const entries: Redacted<TraceEntry>[] = []
  for (const text of texts) {
    for await (const item of readTrace({ text })) {
      // Trace writers accept only redacted entries.
      if (item.ok) entries.push(item.value as Redacted<TraceEntry>)
    }
  }
  return entries
}

/**
 * Reads a trace that results refer to. Results may be untrusted, so a path outside their folder, directly or through a
 * symbolic link, is rejected. A trace that cannot be opened yields an error item, like a malformed line.
 */
export async function* openTrace(
  folder: string,
  name: string,
  options: ReadTraceOptions = {},
): AsyncGenerator<TraceItem, void, undefined> {
  try {
    const path = await pathInside(folder, name)
    if (path === undefined) yield failure(`the trace ${JSON.stringify(name)} is outside the results folder`)
    else yield* readTrace(path, options)
  } catch (thrown) {
    yield failure(`cannot read the trace ${JSON.stringify(name)}: ${reasonOf(thrown)}`)
  }
}

function reasonOf(thrown: unknown): string {
  // Thrown by the decoder.
  if (thrown instanceof TypeError) return 'not valid UTF-8'
  return isMissing(thrown) ? 'no such file' : messageOf(thrown)
}

function isMissing(thrown: unknown): boolean {
  return errorCode(thrown) === 'ENOENT'
}

function failure(message: string): TraceItem {
  return err(diagnostic('trace-failed', message))
}
