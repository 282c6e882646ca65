/** Journal files: JSON lines, of which the first identifies the run. */
import { closeSync, fdatasyncSync, ftruncateSync } from 'node:fs'
import { openToWrite, readBounded, sha256, writeAll } from '@joust/io'
import { err, isRecord, messageOf, ok, own, type Result, type Value } from '@joust/source'
import { runtimeLimits } from '../model/limits.ts'
import { lock } from './lock.ts'
import { type LineCodec, lineCodec } from './secrets.ts'
import { isLine, type Line } from './shapes.ts'

const VERSION = 1

const MARK = '{"joust_run_journal":'

/** Values that identify a run, by name. */
export type Identity = Readonly<Record<string, string>>

/** An open journal file, locked by this process. */
export interface JournalFile {
  readonly codec: LineCodec
  /** The lines that existed on opening. */
  readonly lines: readonly Line[]
  /** Appends a line. If `durable` is true, flushes the line to disk before returning. Throws on a write error. */
  append(line: Line, durable: boolean): void
  close(): void
}

/** Opens a new or existing journal, or returns an error message. Drops a truncated last line. */
export function openJournalFile(
  path: string,
  identity: Identity,
  secrets: readonly string[],
): Result<JournalFile, string> {
  try {
    const locked = lock(path)
    if (!locked.ok) return locked
    const opened = openLocked(path, identity, secrets, locked.value)
    if (!opened.ok) locked.value()
    return opened
  } catch (thrown) {
    return err(messageOf(thrown))
  }
}

function openLocked(
  path: string,
  identity: Identity,
  secrets: readonly string[],
  release: () => void,
): Result<JournalFile, string> {
  let file: number | undefined
  try {
    // The mark may be incomplete if a process was killed while writing the first line.
    file = openToWrite(path, { mark: '', append: true })
    const text = new TextDecoder().decode(readBounded(path, runtimeLimits.journalBytes))
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    const read = whole === '' ? begin(file, text, identity, secrets) : readAll(whole, identity, secrets)
    if (!read.ok) {
      closeSync(file)
      return read
    }
    if (whole !== '') ftruncateSync(file, Buffer.byteLength(whole))
    return ok(openFile(file, read.value, release))
  } catch (thrown) {
    if (file !== undefined) closeSync(file)
    return err(messageOf(thrown))
  }
}

type Read = Pick<JournalFile, 'codec' | 'lines'>

function openFile(file: number, { codec, lines }: Read, release: () => void): JournalFile {
  let open = true
  return {
    codec,
    lines,
    append(line, durable) {
      if (!open) return
      writeAll(file, `${codec.write(line)}\n`)
      if (durable) fdatasyncSync(file)
    },
    close() {
      if (!open) return
      open = false
      closeSync(file)
      release()
    },
  }
}

const NOT_A_JOURNAL = 'not a run journal; use another file'

function begin(file: number, text: string, identity: Identity, secrets: readonly string[]): Result<Read, string> {
  if (!text.startsWith(MARK) && !MARK.startsWith(text)) return err(NOT_A_JOURNAL)
  ftruncateSync(file)
  const salt = sha256(crypto.randomUUID(), 32)
  writeAll(file, `${JSON.stringify({ joust_run_journal: VERSION, salt, identity })}\n`)
  fdatasyncSync(file)
  return ok({ codec: lineCodec(secrets, salt), lines: [] })
}

function readAll(whole: string, identity: Identity, secrets: readonly string[]): Result<Read, string> {
  const [first = '', ...rest] = whole.slice(0, -1).split('\n')
  const header = parse(() => JSON.parse(first))
  if (!first.startsWith(MARK) || !isRecord(header)) return err(NOT_A_JOURNAL)
  const problem = headerProblem(header, identity)
  if (problem !== undefined) return err(problem)
  const codec = lineCodec(secrets, String(own(header, 'salt')))
  const lines: Line[] = []
  const ended = new Map<string, Value>()
  for (const [index, text] of rest.entries()) {
    const line = parse(() => codec.read(text))
    if (!isLine(line, ended))
      return err(`line ${index + 2} is corrupt, so completed steps are unknown; start a new journal`)
    if ('end' in line) ended.set(line.end, 'same' in line ? (ended.get(line.same) ?? null) : line.value)
    lines.push(line)
  }
  return ok({ codec, lines })
}

function headerProblem(header: Readonly<Record<string, unknown>>, identity: Identity): string | undefined {
  const { joust_run_journal: version, identity: recorded } = header
  if (version !== VERSION) return `unsupported journal version ${String(version)}, expected ${VERSION}`
  const before = isRecord(recorded) ? recorded : {}
  const names = [...new Set([...Object.keys(before), ...Object.keys(identity)])]
  const changed = names.filter((name) => own(before, name) !== own(identity, name))
  if (changed.length === 0) return undefined
  return `it belongs to another run (different ${changed.join(', ')}); use another file, or delete this one to start over`
}

function parse(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return undefined
  }
}
