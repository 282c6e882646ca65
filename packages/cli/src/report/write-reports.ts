/** Renders reports and writes them to files. */
import { join } from 'node:path'
import { beginsWith, makeFolder, readBounded, replaceOwn, sha256 } from '@joust/io'
import type { OpenTrace } from '@joust/report'
import { type ReportFormat, reportFormats } from '@joust/report/formats'
import {
  type Comparison,
  type ReadTraceOptions,
  type Redactor,
  type Results,
  redactEnding,
  redactEntry,
  redactModelEntry,
  type TraceItem,
} from '@joust/results'
import { openTrace, RESULTS_MARK, type StoredResults } from '@joust/results/files'
import { err, isRecord, messageOf, ok, own } from '@joust/source'
import { type Io, tell } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'

interface ReportExtras {
  /** Redacts traces in the same way as the results. */
  readonly more?: Redactor | undefined
  readonly comparison?: Comparison | undefined
}

export async function renderReport(
  format: ReportFormat,
  stored: readonly StoredResults[],
  { more, comparison }: ReportExtras = {},
): Promise<string> {
  const folders = new Map<Results, string>(stored.map(({ results, folder }) => [results, folder]))
  const open: OpenTrace = (trace, of, on) => openTrace(folders.get(of) ?? '', trace, on)
  return reportFormats[format].render(
    stored.map(({ results }) => results),
    more === undefined ? open : (trace, of, on) => hiding(open(trace, of, redactingListeners(on, more)), more),
    comparison,
  )
}

function redactingListeners({ onModel, onEnding }: Parameters<OpenTrace>[2], more: Redactor): ReadTraceOptions {
  return {
    onModel: (entry) => onModel?.(redactModelEntry(entry, more)),
    onEnding: (ending) => onEnding?.(redactEnding(ending, more)),
  }
}

async function* hiding(items: AsyncIterable<TraceItem>, redactor: Redactor): AsyncGenerator<TraceItem> {
  for await (const item of items)
    yield item.ok
      ? ok(redactEntry(item.value, redactor))
      : err({ ...item.error, message: redactor.text(item.error.message) })
}

/** Writes reports and returns their paths; failures are printed. */
export async function writeReports(
  stored: readonly StoredResults[],
  formats: readonly ReportFormat[],
  out: string,
  io: Io,
  extras?: ReportExtras,
): Promise<string[]> {
  const written: string[] = []
  for (const format of formats) {
    const path = join(out, reportFormats[format].file)
    const text = await renderReport(format, stored, extras)
    try {
      writeOwn(out, reportFormats[format].file, text)
      written.push(path)
    } catch (thrown) {
      tell(io, `${path} cannot be written: ${messageOf(thrown)}`)
    }
  }
  return written
}

/** Name of the file that lists the written reports with their digests. */
const LIST = '.joust-reports.json'
const MARK = '{"joust_reports":'

/** Writes a file unless it has been changed since Joust wrote it. Throws on errors. */
function writeOwn(folder: string, name: string, text: string): void {
  makeFolder(folder)
  const list = join(folder, LIST)
  const digests = readList(list)
  replaceOwn(join(folder, name), text, (path) => {
    // `run` writes its results itself.
    if (beginsWith(path, RESULTS_MARK)) return true
    return digests.get(name) === sha256(readBounded(path, commandLimits.reportBytes))
  })
  digests.set(name, sha256(text))
  replaceOwn(list, `${MARK}${JSON.stringify(Object.fromEntries(digests))}}\n`, (path) => beginsWith(path, MARK))
}

function readList(path: string): Map<string, string> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(readBounded(path, commandLimits.reportListBytes)))
    const files = own(value, 'joust_reports')
    const entries = isRecord(files) ? Object.entries(files) : []
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    // Missing, or not written by Joust.
    return new Map()
  }
}
