/** Formats for reports on results, loaded on demand. */
import type { Comparison } from '@joust/results'
import { invariant } from '@joust/source'
import type { OpenTrace, ReportInput } from './content/input.ts'

export { type BenchmarkName, benchmarkNames } from './content/benchmarks.ts'

export interface ReportFormatRow {
  /** Name of the file to write. */
  readonly file: string
  readonly media: string
  /** True if the format can show several results files together. */
  readonly several: boolean
  /** Renders the report. `comparison` is the comparison with a baseline, if any. */
  render(all: readonly ReportInput[], open: OpenTrace, comparison?: Comparison): Promise<string>
}

export const reportFormats = {
  html: {
    file: 'report.html',
    media: 'text/html',
    several: true,
    render: async (all, open) => (await import('./html/report.ts')).renderHtml(all, open),
  },
  json: {
    file: 'results.json',
    media: 'application/json',
    several: false,
    render: async (all) => (await import('@joust/results')).writeResults(only(all)),
  },
  junit: {
    file: 'junit.xml',
    media: 'application/xml',
    several: false,
    render: async (all) => (await import('./results/junit.ts')).renderJunit(only(all)),
  },
  sarif: {
    file: 'results.sarif',
    media: 'application/sarif+json',
    several: false,
    render: async (all) => (await import('./results/sarif.ts')).renderSarif(only(all)),
  },
  md: {
    file: 'summary.md',
    media: 'text/markdown',
    several: true,
    render: async (all, _, comparison?: Comparison) =>
      (await import('./results/markdown.ts')).renderMarkdown(all, comparison),
  },
  github: {
    file: 'annotations.txt',
    media: 'text/plain',
    several: false,
    render: async (all) => (await import('./results/github.ts')).renderGithub(only(all)),
  },
  otlp: {
    file: 'spans.json',
    media: 'application/json',
    several: false,
    render: async (all, open) => (await import('./results/otlp.ts')).renderOtlp(only(all), open),
  },
} as const satisfies Readonly<Record<string, ReportFormatRow>>

export type ReportFormat = keyof typeof reportFormats

// Object.keys is typed as string[].
export const reportFormatNames = Object.keys(reportFormats) as readonly ReportFormat[]

/** Formats that can show several results files together. */
export const sideBySide: readonly ReportFormat[] = reportFormatNames.filter((name) => reportFormats[name].several)

export function isReportFormat(word: string): word is ReportFormat {
  return Object.hasOwn(reportFormats, word)
}

function only(all: readonly ReportInput[]): ReportInput {
  const [first] = all
  invariant(first !== undefined && all.length === 1, 'the format takes exactly one result')
  return first
}
