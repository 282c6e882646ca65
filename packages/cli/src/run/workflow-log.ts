import type { Redacted, Results } from '@joust/arena'
import type { ReportFormat } from '@joust/report/formats'
import type { Io } from '../terminal/io.ts'

/** Writes annotations to the log where GitHub Actions reads it. What is printed as JSON stays JSON: both streams are read. */
export async function annotateLog(
  results: Redacted<Results>,
  { report, json }: { readonly report: readonly ReportFormat[]; readonly json: boolean },
  io: Io,
): Promise<void> {
  if (!report.includes('github') || io.env.GITHUB_ACTIONS !== 'true') return
  const { renderGithub } = await import('@joust/report')
  io[json ? 'stderr' : 'stdout'].writeData(renderGithub(results))
}
