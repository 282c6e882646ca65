import { describeValue } from '@joust/source'
import type { Rule } from '../rule.ts'

/** Every `{{` of a state or an entry action is closed or escaped (V-016). */
export const templateSyntax: Rule = (walk, report) => {
  for (const { path, parts } of walk.templates) {
    for (const part of parts) {
      if (part.kind !== 'unclosed') continue
      report(path, `${describeValue(part.text)} is never closed; write {{name}}, or \\{{ for literal braces`)
    }
  }
}
