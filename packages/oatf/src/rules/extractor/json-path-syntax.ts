import { ownText } from '@joust/source'
import { mcpServerDocument, type Rule } from '../rule.ts'

export const jsonPathSyntax: Rule = {
  summary: 'The selector of every `json_path` extractor is a valid JSONPath expression.',
  check(walk, report, syntax) {
    for (const { path, value } of walk.extractors) {
      const selector = ownText(value, 'selector')
      if (ownText(value, 'type') !== 'json_path' || selector === undefined) continue
      const fault = syntax.jsonPath(selector)
      if (fault !== undefined) report([...path, 'selector'], `invalid JSONPath expression: ${fault}`)
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
