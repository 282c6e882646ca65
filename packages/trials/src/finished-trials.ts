/** The journal of a suite: finished trials on disk, one line each, from which a stopped suite resumes. */

import { closeSync, fstatSync, ftruncateSync } from 'node:fs'
import { ArenaError } from '@joust/arena'
import { openToWrite, readBounded, refuseLink, writeAll } from '@joust/io'
import type { Redacted, ResultPreflight, Trial } from '@joust/results'
import { checkTrial, diagnostic, preflightShape, resultsLimits } from '@joust/results'
import {
  checkShape,
  type Diagnostic,
  err,
  errorCode,
  isRecord,
  messageOf,
  ok,
  own,
  parseJson,
  type Result,
} from '@joust/source'
import { arms, type SuiteRunKey } from './run-key.ts'

/** Journal version; other versions are rejected. */
const VERSION = 5

const MARK = '{"joust_journal":'
const NO_JOURNAL = `not a journal: expected ${MARK}${VERSION}…} as the first line`

/** The finished trials of a suite. */
export interface FinishedTrials {
  /** Number of trials found in the journal. */
  readonly found: number
  /** Returns the conclusive trial of a run; undefined for an inconclusive trial, which is run again. */
  get(run: SuiteRunKey): Redacted<Trial> | undefined
  /** Appends a trial; throws an `ArenaError` if the trial cannot be written. */
  add(run: Omit<SuiteRunKey, 'trial'>, trial: Redacted<Trial>): void
  /** The preflights in the journal, in order. */
  readonly preflights: readonly ResultPreflight[]
  addPreflight(preflight: Redacted<ResultPreflight>): void
}

/** Properties by name: everything that an outcome depends on apart from the attack. */
export type Identity = Readonly<Record<string, string>>

interface TrialLine extends Omit<SuiteRunKey, 'trial'> {
  readonly trial: Redacted<Trial>
}

type Line = TrialLine | { readonly preflight: ResultPreflight }

/**
 * Opens or creates a journal. A truncated last line is dropped and its trial is run again. Any other malformed line is
 * an error, because resuming would lose its trial. A journal with a different identity is rejected.
 */
export function openFinishedTrials(path: string, identity: Identity): Result<FinishedTrials, Diagnostic> {
  const before = readText(path)
  if (!before.ok) return before
  const read = readLines(before.value, path, identity)
  if (!read.ok) return read
  const { lines, length } = read.value
  try {
    writing(path, '', (file) => {
      ftruncateSync(file, length)
      if (length === 0) writeAll(file, `${JSON.stringify({ joust_journal: VERSION, identity })}\n`)
    })
    return ok(finishedTrials(path, lines))
  } catch (thrown) {
    return err(diagnostic('results-unwritable', `cannot write ${path}: ${messageOf(thrown)}`))
  }
}

function finishedTrials(path: string, lines: readonly Line[]): FinishedTrials {
  const trials = lines.filter((line) => 'trial' in line)
  const byKey = new Map(trials.map((line) => [keyOf({ ...line, trial: line.trial.trial }), line.trial]))
  return {
    found: byKey.size,
    get(run) {
      const finished = byKey.get(keyOf(run))
      return finished?.outcome === 'inconclusive' ? undefined : finished
    },
    add: ({ file, arm, fingerprint }, trial) => append(path, { file, arm, fingerprint, trial }),
    preflights: lines.flatMap((line) => ('preflight' in line ? [line.preflight] : [])),
    addPreflight: (preflight) => append(path, { preflight }),
  }
}

function keyOf({ file, arm, trial, fingerprint }: SuiteRunKey): string {
  return JSON.stringify([file, arm, trial, fingerprint])
}

function append(path: string, line: Line): void {
  try {
    writing(path, MARK, (file) => {
      if (fstatSync(file).size === 0) throw new Error(`${path} was emptied or removed while the suite was running`)
      writeAll(file, `${JSON.stringify(line)}\n`)
    })
  } catch (thrown) {
    throw new ArenaError('trace_failed', `cannot write a result: ${messageOf(thrown)}`, { cause: thrown })
  }
}

/** Opens a file for a single write, which is fast compared with a run. Throws system errors. */
function writing(path: string, mark: string, write: (file: number) => void): void {
  const file = openToWrite(path, { mark, append: true })
  try {
    write(file)
  } finally {
    closeSync(file)
  }
}

function readText(path: string): Result<string, Diagnostic> {
  try {
    refuseLink(path)
    return ok(new TextDecoder().decode(readBounded(path, resultsLimits.resultsBytes)))
  } catch (thrown) {
    const missing = errorCode(thrown) === 'ENOENT'
    return missing ? ok('') : err(fault(path, messageOf(thrown)))
  }
}

function readLines(
  text: string,
  path: string,
  identity: Identity,
): Result<{ lines: readonly Line[]; length: number }, Diagnostic> {
  const lines: Line[] = []
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  // A suite that was killed early may have written only part of the first line.
  if (whole === '' && !text.startsWith(MARK) && !MARK.startsWith(text)) return err(fault(path, NO_JOURNAL))
  for (const [index, line] of whole.split('\n').entries()) {
    if (line === '') continue
    const value = parseJson(line)
    const problem = index === 0 ? headerFault(value, identity) : lineFault(value)
    if (problem !== undefined) return err({ ...fault(path, problem), line: index + 1 })
    // The shape was checked, and only redacted trials are written.
    if (index > 0) lines.push(value as unknown as Line)
  }
  return ok({ lines, length: Buffer.byteLength(whole) })
}

function headerFault(value: unknown, identity: Identity): string | undefined {
  const version = own(value, 'joust_journal')
  if (version === undefined) return NO_JOURNAL
  if (version !== VERSION) return `unsupported journal version ${String(version)}, expected ${VERSION}`
  const recorded = own(value, 'identity')
  const before = isRecord(recorded) ? recorded : {}
  const names = [...new Set([...Object.keys(before), ...Object.keys(identity)])]
  const changes = names.flatMap((name) => {
    const [was, is] = [own(before, name), own(identity, name)]
    return was === is ? [] : [`${name} changed from ${String(was ?? 'none')} to ${is ?? 'none'}`]
  })
  return changes.length === 0 ? undefined : `the journal belongs to a different target: ${changes.join('; ')}`
}

function lineFault(value: unknown): string | undefined {
  if (!isRecord(value)) return 'expected a mapping'
  const { file, arm, fingerprint, trial, preflight } = value
  if (preflight !== undefined) {
    const [problem] = checkShape(preflight, preflightShape, 1)
    return problem === undefined ? undefined : `invalid preflight: ${problem.message}`
  }
  if (typeof file !== 'string' || typeof fingerprint !== 'string')
    return 'invalid trial: expected "file" and "fingerprint"'
  if (!arms.some((known) => known === arm)) return `invalid trial: expected "arm" to be one of ${arms.join(', ')}`
  const checked = checkTrial(trial ?? null)
  return checked.ok ? undefined : `invalid trial: ${checked.error}`
}

function fault(path: string, message: string): Diagnostic {
  return diagnostic('results-unreadable', `${path}: ${message}`)
}
