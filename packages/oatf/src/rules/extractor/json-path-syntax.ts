import { ownText } from '@joust/source'
import { mcpServerDocument, type Rule } from '../rule.ts'

/** The selector of every `json_path` extractor parses (V-015). */
export const jsonPathSyntax: Rule = {
  summary: 'Every JSONPath expression parses.',
  check(walk, report) {
    for (const { path, value } of walk.extractors) {
      const selector = ownText(value, 'selector')
      if (ownText(value, 'type') !== 'json_path' || selector === undefined) continue
      const fault = walk.syntax.jsonPath(selector)
      if (fault !== undefined) report([...path, 'selector'], `this is not a JSONPath expression: ${fault}`)
    }
  },
  good: mcpServerDocument(`
    phases:
      - state: { tools: [{ name: search, description: Searches the web }] }
        extractors:
          - { name: query, source: request, type: json_path, selector: "$.arguments.query" }
`),
  mistake: ['selector: "$.arguments.query"', 'selector: "$.arguments["'],
  path: 'attack.execution.phases[0].extractors[0].selector',
}
