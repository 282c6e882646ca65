/** Trials on disk, one line each, written as they end: where a stopped suite continues from. */
import { closeSync, fstatSync, ftruncateSync } from 'node:fs'
import { openToWrite, readBounded, refuseLink, writeAll } from '@joust/io'
import { checkShape, type Diagnostic, err, isRecord, messageOf, ok, own, parseJson, type Result } from '@joust/source'
import { diagnostic } from '../model/diagnostics.ts'
import { ArenaError } from '../model/errors.ts'
import { arenaLimits } from '../model/limits.ts'
import type { Redacted } from '../model/redacted.ts'
import type { ResultControl, Trial } from '../results/model.ts'
import { trialFault } from '../results/read.ts'
import { controlShape } from '../results/shapes.ts'

/** The version that is written, and the only one that is read. */
const VERSION = 4

const MARK = '{"joust_journal":'
const NOT_ONE = `this is not a journal: its first line must be ${MARK}${VERSION}}`

/** The trials of a suite, each as soon as it is over. */
export interface FinishedTrials {
  /** How many trials were there when it was opened. */
  readonly found: number
  /** A trial of this version of a document; one that is inconclusive is run again. */
  get(file: string, trial: number, fingerprint: string): Redacted<Trial> | undefined
  /** Throws an `ArenaError` when it cannot be written. */
  add(file: string, fingerprint: string, trial: Redacted<Trial>): void
  /** The outcomes of the controls before these trials, in order. */
  readonly controls: readonly ResultControl[]
  addControl(control: Redacted<ResultControl>): void
}

/** What the outcome of a run depends on besides the attack: facts by name. */
export type Identity = Readonly<Record<string, string>>

interface TrialLine {
  readonly file: string
  readonly fingerprint: string
  readonly trial: Redacted<Trial>
}

type Line = TrialLine | { readonly control: ResultControl }

/**
 * Opens a file of finished trials, new or from an earlier suite. A last line that was cut off is dropped and its run
 * made again; any other line that cannot be read is an error, since continuing would lose what it held. Results of
 * another identity are refused.
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
    return err(diagnostic('results-unwritable', `${path}: ${messageOf(thrown)}`))
  }
}

function finishedTrials(path: string, lines: readonly Line[]): FinishedTrials {
  const trials = lines.filter((line) => 'trial' in line)
  const known = new Map(trials.map((line) => [keyOf(line.file, line.trial.trial, line.fingerprint), line.trial]))
  return {
    found: known.size,
    get(name, trial, fingerprint) {
      const found = known.get(keyOf(name, trial, fingerprint))
      return found?.outcome === 'inconclusive' ? undefined : found
    },
    add: (name, fingerprint, trial) => append(path, { file: name, fingerprint, trial }),
    controls: lines.flatMap((line) => ('control' in line ? [line.control] : [])),
    addControl: (control) => append(path, { control }),
  }
}

function keyOf(file: string, trial: number, fingerprint: string): string {
  return JSON.stringify([file, trial, fingerprint])
}

function append(path: string, line: Line): void {
  try {
    writing(path, MARK, (file) => {
      if (fstatSync(file).size === 0) throw new Error(`${path} was emptied or removed while the suite was running`)
      writeAll(file, `${JSON.stringify(line)}\n`)
    })
  } catch (thrown) {
    throw new ArenaError('trace_failed', `a result could not be written: ${messageOf(thrown)}`, { cause: thrown })
  }
}

/** Opened for each line, and so never left open: a run takes much longer. Throws. */
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
    return ok(new TextDecoder().decode(readBounded(path, arenaLimits.resultsBytes)))
  } catch (thrown) {
    const missing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'
    return missing ? ok('') : err(fault(path, messageOf(thrown)))
  }
}

/** The lines, and how many bytes of the file are complete ones. */
function readLines(
  text: string,
  path: string,
  identity: Identity,
): Result<{ lines: readonly Line[]; length: number }, Diagnostic> {
  const lines: Line[] = []
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  // A suite that was killed in its first line left the beginning of that line.
  if (whole === '' && !text.startsWith(MARK) && !MARK.startsWith(text)) return err(fault(path, NOT_ONE))
  for (const [index, line] of whole.split('\n').entries()) {
    if (line === '') continue
    const value = parseJson(line)
    const problem = index === 0 ? headerFault(value, identity) : lineFault(value)
    if (problem !== undefined) return err({ ...fault(path, problem), line: index + 1 })
    // The shape has just been checked, and nothing but redacted trials is ever written.
    if (index > 0) lines.push(value as unknown as Line)
  }
  return ok({ lines, length: Buffer.byteLength(whole) })
}

function headerFault(value: unknown, identity: Identity): string | undefined {
  const version = own(value, 'joust_journal')
  if (version === undefined) return NOT_ONE
  if (version !== VERSION) return `a journal of version ${String(version)}; this reads version ${VERSION}`
  const known = own(value, 'identity')
  const before = isRecord(known) ? known : {}
  const names = [...new Set([...Object.keys(before), ...Object.keys(identity)])]
  const changes = names.flatMap((name) => {
    const [was, is] = [own(before, name), own(identity, name)]
    return was === is ? [] : [`${name} was ${String(was ?? 'not given')} and is ${is ?? 'not given'}`]
  })
  return changes.length === 0 ? undefined : `these are results of another target: ${changes.join('; ')}`
}

function lineFault(value: unknown): string | undefined {
  if (!isRecord(value)) return 'a line that is not a mapping'
  const { file, fingerprint, trial, control } = value
  if (control !== undefined) {
    const [wrong] = checkShape(control, controlShape, 1)
    return wrong === undefined ? undefined : `a line that is not a control: ${wrong.message}`
  }
  if (typeof file !== 'string' || typeof fingerprint !== 'string') return 'a line that is not a trial'
  const wrong = trialFault(trial ?? null)
  return wrong && `a line that is not a trial: ${wrong}`
}

function fault(path: string, message: string): Diagnostic {
  return diagnostic('results-unreadable', `${path}: ${message}`)
}
