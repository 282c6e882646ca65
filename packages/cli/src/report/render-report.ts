/** Results in any format. Each format's own code is imported when it is asked for. */
import {
  openTrace,
  type Redactor,
  type Results,
  redactEntry,
  type StoredResults,
  type TraceItem,
  writeResults,
} from '@joust/arena'
import { invariant, ok } from '@joust/source'
import { type ReportFormat, sideBySide } from './formats.ts'

/** The text of a report on results with their folders; `more` hides in traces what results have hidden already. */
export async function renderReport(
  format: ReportFormat,
  stored: readonly StoredResults[],
  more?: Redactor,
): Promise<string> {
  const folders = new Map<Results, string>(stored.map(({ results, folder }) => [results, folder]))
  const all = stored.map(({ results }) => results)
  const [redacted, ...others] = all
  invariant(redacted !== undefined, 'a report is about something')
  invariant(others.length === 0 || sideBySide.includes(format), 'the format can show several results')
  switch (format) {
    case 'json':
      return writeResults(redacted)
    case 'junit':
      return (await import('../render/junit.ts')).renderJunit(redacted)
    case 'sarif':
      return (await import('../render/results-sarif.ts')).renderResultsSarif(redacted)
    case 'md':
      return (await import('../render/results-markdown.ts')).renderResultsMarkdown(all)
    case 'github':
      return (await import('../render/results-github.ts')).renderResultsGithub(redacted)
    case 'html': {
      const { renderHtmlReport } = await import('../render/html/report.ts')
      const open = (trace: string, of: Results) => openTrace(folders.get(of) ?? '', trace)
      return renderHtmlReport(all, (trace, of) =>
        more === undefined ? open(trace, of) : hiding(open(trace, of), more),
      )
    }
  }
}

async function* hiding(items: AsyncIterable<TraceItem>, redactor: Redactor): AsyncGenerator<TraceItem> {
  for await (const item of items) yield item.ok ? ok(redactEntry(item.value, redactor)) : item
}
