import { openTrace, type Redactor, redactEntry, redactResults, type StoredResults, type TraceItem } from '@joust/arena'
import { type ReportFormat, reportFormats } from '@joust/report/formats'
import { ok } from '@joust/source'

/** The text of a report on results with their folders. Secrets are hidden before anything is rendered. */
export async function renderReport(
  format: ReportFormat,
  stored: readonly StoredResults[],
  redactor: Redactor,
): Promise<string> {
  const folders = new Map(stored.map(({ results, folder }) => [redactResults(results, redactor), folder]))
  return reportFormats[format].render([...folders.keys()], (trace, of) =>
    withoutSecrets(openTrace(folders.get(of) ?? '', trace), redactor),
  )
}

async function* withoutSecrets(items: AsyncIterable<TraceItem>, redactor: Redactor): AsyncGenerator<TraceItem> {
  for await (const item of items) yield item.ok ? ok(redactEntry(item.value, redactor)) : item
}
