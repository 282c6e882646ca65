/** Findings in documents, in the formats of code scanning and of GitHub Actions. Loads nothing that judges. */
export type { FileFindings } from './findings/file-findings.ts'
export { renderFindingsGithub } from './findings/github.ts'
export { type FindingsSarifOptions, renderFindingsSarif } from './findings/sarif.ts'
