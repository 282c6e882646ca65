/** The formats of reports on results. The code of each is loaded on demand. */
import { invariant } from '@joust/source'
import type { OpenTrace, ReportInput } from './content/input.ts'

/** What has to be known about a format. */
export interface ReportFormatRow {
  /** The name of the file that holds it. */
  readonly file: string
  readonly media: string
  /** Whether it can show several results side by side. */
  readonly several: boolean
  render(all: readonly ReportInput[], open: OpenTrace): Promise<string>
}

/** Every format by its name. */
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
    render: async (all) => (await import('@joust/arena')).writeResults(only(all)),
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
    render: async (all) => (await import('./results/markdown.ts')).renderMarkdown(all),
  },
  github: {
    file: 'annotations.txt',
    media: 'text/plain',
    several: false,
    render: async (all) => (await import('./results/github.ts')).renderGithub(only(all)),
  },
} as const satisfies Readonly<Record<string, ReportFormatRow>>

/** The name of a format. */
export type ReportFormat = keyof typeof reportFormats

// The keys of our own table.
export const reportFormatNames = Object.keys(reportFormats) as readonly ReportFormat[]

/** Those that can show several results side by side. */
export const sideBySide: readonly ReportFormat[] = reportFormatNames.filter((name) => reportFormats[name].several)

/** Whether a word is the name of a format. */
export function isReportFormat(word: string): word is ReportFormat {
  return Object.hasOwn(reportFormats, word)
}

function only(all: readonly ReportInput[]): ReportInput {
  const [first] = all
  invariant(first !== undefined && all.length === 1, 'the format is about one run')
  return first
}
