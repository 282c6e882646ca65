/** Reports as files. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { RESULTS_MARK, type Redactor, type StoredResults } from '@joust/arena'
import { beginsWith, makeFolder, readBounded, replaceOwn } from '@joust/io'
import { type ReportFormat, reportFormats } from '@joust/report/formats'
import { isRecord, messageOf, own } from '@joust/source'
import { type Io, tell } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'
import { renderReport } from './render-report.ts'

/** Writes reports on results, side by side, and returns their paths; what could not be written is reported. */
export async function writeReports(
  stored: readonly StoredResults[],
  formats: readonly ReportFormat[],
  out: string,
  io: Io,
  more?: Redactor,
): Promise<string[]> {
  const written: string[] = []
  for (const format of formats) {
    const path = join(out, reportFormats[format].file)
    const text = await renderReport(format, stored, more)
    try {
      writeOwn(out, reportFormats[format].file, text)
      written.push(path)
    } catch (thrown) {
      const reason = messageOf(thrown)
      tell(io, `${path} cannot be written: ${reason}`)
    }
  }
  return written
}

/** The names of the files that were written, each with the digest of its content. */
const LIST = '.joust-reports.json'
const MARK = '{"joust_reports":'

/** Writes a file, unless there is one with this name that was changed since it was written. Throws. */
function writeOwn(folder: string, name: string, text: string): void {
  makeFolder(folder)
  const list = join(folder, LIST)
  const known = readList(list)
  replaceOwn(join(folder, name), text, (path) => {
    // `run` writes its results itself.
    if (beginsWith(path, RESULTS_MARK)) return true
    return known.get(name) === digest(readBounded(path, commandLimits.reportBytes))
  })
  known.set(name, digest(text))
  replaceOwn(list, `${MARK}${JSON.stringify(Object.fromEntries(known))}}\n`, (path) => beginsWith(path, MARK))
}

function readList(path: string): Map<string, string> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(readBounded(path, commandLimits.reportListBytes)))
    const files = own(value, 'joust_reports')
    const entries = isRecord(files) ? Object.entries(files) : []
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    // Nothing was written here, or nothing that can be recognized.
    return new Map()
  }
}

function digest(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
