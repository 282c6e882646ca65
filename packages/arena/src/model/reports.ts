/** The diagnostics of a run: each one once, with how often it came. */
import type { Diagnostic } from '@joust/source'
import { diagnostic as describe } from './diagnostics.ts'
import { bounds } from './limits.ts'

/** A diagnostic of a run. */
export interface RunDiagnostic extends Diagnostic {
  /** The actor that it is about. */
  readonly actor?: string
  /** How often it came, when more than once. */
  readonly times?: number
}

/** Collects diagnostics. */
export interface Reports {
  add(diagnostic: RunDiagnostic): void
  all(): readonly RunDiagnostic[]
}

/** Nothing yet; `onNew` hears of each the first time. */
export function createReports(onNew: (diagnostic: RunDiagnostic) => void = () => {}): Reports {
  const seen = new Map<string, { diagnostic: RunDiagnostic; times: number }>()
  /** One of each code and actor is always kept: verdicts depend on which there are. */
  const codes = new Set<string>()
  let more = 0
  return {
    add(diagnostic) {
      const key = JSON.stringify([diagnostic.actor, diagnostic.code, diagnostic.path, diagnostic.message])
      const known = seen.get(key)
      if (known !== undefined) known.times += 1
      else if (seen.size < bounds.diagnostics || !codes.has(codeOf(diagnostic))) {
        seen.set(key, { diagnostic, times: 1 })
        codes.add(codeOf(diagnostic))
        onNew(diagnostic)
      } else more += 1
    },
    all() {
      const kept = [...seen.values()].map(({ diagnostic, times }) =>
        times > 1 ? { ...diagnostic, times } : diagnostic,
      )
      if (more === 0) return kept
      return [...kept, describe('more-diagnostics', `${more} more diagnostics were left out`)]
    },
  }
}

function codeOf({ actor, code }: RunDiagnostic): string {
  return JSON.stringify([actor, code])
}
