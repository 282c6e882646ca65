/** Results on disk, a line each, written as they come: what a suite goes on from when it was stopped. */
import { open, readFile } from 'node:fs/promises'
import { type Diagnostic, err, isRecord, ok, own, type Result } from '@joust/source'
import { diagnostic } from '../model/diagnostics.ts'
import { ArenaError, messageOf } from '../model/errors.ts'
import type { AttackRun } from '../run.ts'
import type { ResultStore } from './suite.ts'

/** The version that is written, and the newest that can be read. */
const VERSION = 1

/** A file of results that is open. */
export interface ResultsFile extends ResultStore {
  /** How many results were there when it was opened. */
  readonly found: number
  close(): Promise<void>
}

/**
 * Opens a file of results, new or from an earlier suite. A last line that was cut off is dropped and its run made again;
 * any other line that cannot be read is an error, since going on would lose what it held. `about` says whose results these
 * are; those of another target are refused.
 */
export async function openResults(path: string, about = ''): Promise<Result<ResultsFile, Diagnostic>> {
  const before = await readText(path)
  if (!before.ok) return before
  const read = readResults(before.value, path, about)
  if (!read.ok) return read
  const { runs, length } = read.value
  try {
    const file = await open(path, before.value === '' ? 'w' : 'r+')
    await file.truncate(length)
    if (length === 0) await file.write(`${JSON.stringify({ joust_results: VERSION, about })}\n`)
    return ok(resultsFile(file, runs))
  } catch (thrown) {
    return err(fault(path, messageOf(thrown)))
  }
}

function resultsFile(file: Awaited<ReturnType<typeof open>>, runs: Map<string, AttackRun>): ResultsFile {
  let last: Promise<unknown> = Promise.resolve()
  return {
    found: runs.size,
    get: (key) => runs.get(key),
    add(key, run) {
      // One line after the other, and at the end, whatever else goes on.
      const line = `${JSON.stringify({ key, run })}\n`
      const written = last.then(() => append(file, line))
      last = written.catch(() => {})
      return written
    },
    async close() {
      await last
      await file.close()
    },
  }
}

async function append(file: Awaited<ReturnType<typeof open>>, line: string): Promise<void> {
  try {
    const { size } = await file.stat()
    await file.write(line, size)
  } catch (thrown) {
    throw new ArenaError('trace_failed', `a result could not be written: ${messageOf(thrown)}`, { cause: thrown })
  }
}

async function readText(path: string): Promise<Result<string, Diagnostic>> {
  try {
    return ok(await readFile(path, 'utf8'))
  } catch (thrown) {
    const missing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'
    return missing ? ok('') : err(fault(path, messageOf(thrown)))
  }
}

/** The runs by key, and how many bytes of the file are whole lines. */
function readResults(
  text: string,
  path: string,
  about: string,
): Result<{ runs: Map<string, AttackRun>; length: number }, Diagnostic> {
  const runs = new Map<string, AttackRun>()
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  for (const [index, line] of whole.split('\n').entries()) {
    if (line === '') continue
    const value = parse(line)
    const problem = index === 0 ? headerFault(value, about) : resultFault(value)
    if (problem !== undefined) return err({ ...fault(path, problem), line: index + 1 })
    // `resultFault` has looked at what is used of it here; the rest is as it was written.
    if (index > 0) runs.set((value as { key: string }).key, (value as unknown as { run: AttackRun }).run)
  }
  return ok({ runs, length: Buffer.byteLength(whole) })
}

function headerFault(value: unknown, about: string): string | undefined {
  const version = isRecord(value) ? own(value, 'joust_results') : undefined
  if (typeof version !== 'number') return 'this is no file of results: the first line must be {"joust_results":1}'
  if (version > VERSION) return `results of version ${version}; this reads up to ${VERSION}`
  const known = isRecord(value) ? (own(value, 'about') ?? '') : ''
  return known === about ? undefined : `these are results of another target: ${String(known)}, not ${about}`
}

function resultFault(value: unknown): string | undefined {
  const run = isRecord(value) ? own(value, 'run') : undefined
  const verdict = isRecord(run) ? own(run, 'verdict') : undefined
  const known = isRecord(value) && typeof own(value, 'key') === 'string' && isRecord(verdict)
  return known ? undefined : 'a line that is no result'
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function fault(path: string, message: string): Diagnostic {
  return diagnostic('results-unreadable', `${path}: ${message}`)
}
