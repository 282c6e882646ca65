/** Results in any format. Each format's own code is imported when it is asked for. */
import {
  openTrace,
  type Redactor,
  type Results,
  redactEntry,
  redactResults,
  type TraceItem,
  writeResults,
} from '@joust/arena'
import { ok } from '@joust/source'
import type { ReportFormat } from './formats.ts'

/** Results, the folder that their traces lie in, and what is to be hidden. */
export interface ReportSource {
  readonly results: Results
  readonly folder: string
  readonly redactor: Redactor
}

/** The text of a report. Secrets are hidden before anything is rendered. */
export async function renderReport(format: ReportFormat, { results, folder, redactor }: ReportSource): Promise<string> {
  const redacted = redactResults(results, redactor)
  switch (format) {
    case 'json':
      return writeResults(redacted)
    case 'junit':
      return (await import('../render/junit.ts')).renderJunit(redacted)
    case 'sarif':
      return (await import('../render/results-sarif.ts')).renderResultsSarif(redacted)
    case 'md':
      return (await import('../render/results-markdown.ts')).renderResultsMarkdown(redacted)
    case 'github':
      return (await import('../render/results-github.ts')).renderResultsGithub(redacted)
    case 'html': {
      const { renderHtmlReport } = await import('../render/html/report.ts')
      return renderHtmlReport(redacted, (trace) => withoutSecrets(openTrace(folder, trace), redactor))
    }
  }
}

async function* withoutSecrets(items: AsyncIterable<TraceItem>, redactor: Redactor): AsyncGenerator<TraceItem> {
  for await (const item of items) yield item.ok ? ok(redactEntry(item.value, redactor)) : item
}
