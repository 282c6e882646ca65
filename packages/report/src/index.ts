/** Renders reports with pure functions of results and of traces that the caller opens. */

export { evidenceLines, headline } from './content/attack-lines.ts'
export type { OpenTrace, ReportInput } from './content/input.ts'
export { defaultReportLimits, type ReportLimits } from './content/limits.ts'
export { overviewAttack } from './content/overview-attack.ts'
export { suiteNotes } from './content/suite-notes.ts'
export { renderHtml } from './html/report.ts'
export { renderBenchmark } from './results/benchmark.ts'
export { renderGithub } from './results/github.ts'
export { renderJunit } from './results/junit.ts'
export { renderMarkdown } from './results/markdown.ts'
export { renderOtlp } from './results/otlp.ts'
export { renderSarif } from './results/sarif.ts'
