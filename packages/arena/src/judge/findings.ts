import type { Diagnostic } from '@joust/source'
import { diagnostic } from '../model/diagnostics.ts'
import { bounds } from '../model/limits.ts'

/** The diagnostics of a judgement: each once, and not more than fit on a page. */
interface Findings {
  add(finding: Diagnostic): void
  all(): readonly Diagnostic[]
}

/** Nothing yet. */
export function createFindings(): Findings {
  const kept = new Map<string, Diagnostic>()
  let more = 0
  return {
    add(finding) {
      const key = `${finding.code} ${finding.message}`
      if (kept.has(key)) return
      if (kept.size < bounds.traceFindings) kept.set(key, finding)
      else more += 1
    },
    all: () =>
      more === 0
        ? [...kept.values()]
        : [...kept.values(), diagnostic('more-diagnostics', `${more} more were left out`)],
  }
}
