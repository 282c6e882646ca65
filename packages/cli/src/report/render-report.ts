/** Results in any format. Each format's own code is imported when it is asked for. */
import {
  openTrace,
  type Redactor,
  type Results,
  redactEntry,
  redactResults,
  type StoredResults,
  type TraceItem,
  writeResults,
} from '@joust/arena'
import { invariant, ok } from '@joust/source'
import { type ReportFormat, sideBySide } from './formats.ts'

/** The text of a report on results with their folders. Secrets are hidden before anything is rendered. */
export async function renderReport(
  format: ReportFormat,
  stored: readonly StoredResults[],
  redactor: Redactor,
): Promise<string> {
  const folders = new Map(stored.map(({ results, folder }) => [redactResults(results, redactor), folder]))
  const all = [...folders.keys()]
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
      return renderHtmlReport(all, (trace, of) => withoutSecrets(open(trace, of), redactor))
    }
  }
}

async function* withoutSecrets(items: AsyncIterable<TraceItem>, redactor: Redactor): AsyncGenerator<TraceItem> {
  for await (const item of items) yield item.ok ? ok(redactEntry(item.value, redactor)) : item
}
