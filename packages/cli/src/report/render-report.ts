import { openTrace, type Redactor, type Results, redactEntry, type StoredResults, type TraceItem } from '@joust/arena'
import { type ReportFormat, reportFormats } from '@joust/report/formats'
import { err, ok } from '@joust/source'

/** The text of a report on results with their folders; `more` hides in traces what is already hidden in results. */
export async function renderReport(
  format: ReportFormat,
  stored: readonly StoredResults[],
  more?: Redactor,
): Promise<string> {
  const folders = new Map<Results, string>(stored.map(({ results, folder }) => [results, folder]))
  const open = (trace: string, of: Results) => openTrace(folders.get(of) ?? '', trace)
  return reportFormats[format].render(
    stored.map(({ results }) => results),
    (trace, of) => (more === undefined ? open(trace, of) : hiding(open(trace, of), more)),
  )
}

async function* hiding(items: AsyncIterable<TraceItem>, redactor: Redactor): AsyncGenerator<TraceItem> {
  for await (const item of items)
    yield item.ok
      ? ok(redactEntry(item.value, redactor))
      : err({ ...item.error, message: redactor.text(item.error.message) })
}
