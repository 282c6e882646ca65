import { compileRegex } from '@joust/source'
import type { AgentRule } from '../rule.ts'
import { operatorSites } from './matchers.ts'

/** OPEN-21: every `pattern` is RE2, within the bounds of a run. */
export const patternsCompile: AgentRule = (walk, report) => {
  const most = walk.limits.documentExpressions
  const faults = new Map<string, string | undefined>()
  for (const { operators, path } of operatorSites(walk)) {
    const { pattern } = operators
    if (typeof pattern !== 'string') continue
    const at = [...path, 'pattern']
    if (!faults.has(pattern)) {
      if (faults.size === most) {
        report(at, `the document has more than ${most} different patterns; this one and the rest were not checked`)
        return
      }
      const compiled = compileRegex(pattern, walk.limits)
      faults.set(pattern, compiled.ok ? undefined : compiled.error.message)
    }
    const fault = faults.get(pattern)
    if (fault !== undefined) report(at, `the pattern is not an RE2 expression: ${fault}`)
  }
}
