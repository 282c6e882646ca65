import type { Rule } from '../rule.ts'
import { textOf } from '../walk.ts'

/** The selector of every `json_path` extractor parses (V-015). */
export const jsonPathSyntax: Rule = (walk, report) => {
  for (const { path, value } of walk.extractors) {
    const selector = textOf(value, 'selector')
    if (textOf(value, 'type') !== 'json_path' || selector === undefined) continue
    const fault = walk.syntax.jsonPath(selector)
    if (fault !== undefined) report([...path, 'selector'], `this is not a JSONPath expression: ${fault}`)
  }
}
