import type { RuleExamples } from '../example.ts'

/** A good and a bad document for each rule about extractors. */
export const extractorExamples: RuleExamples = {
  'V-015': {
    good: document('{ name: query, source: request, type: json_path, selector: "$.arguments.query" }'),
    bad: document('{ name: query, source: request, type: json_path, selector: "$.arguments[" }'),
    path: 'attack.execution.phases[0].extractors[0].selector',
  },
  'V-037': {
    good: document('{ name: search_query, source: request, type: json_path, selector: "$.arguments.query" }'),
    bad: document('{ name: searchQuery, source: request, type: json_path, selector: "$.arguments.query" }'),
    path: 'attack.execution.phases[0].extractors[0].name',
  },
  'V-042': {
    good: document('{ name: token, source: request, type: regex, selector: "token=([a-f0-9]+)" }'),
    bad: document('{ name: token, source: request, type: regex, selector: "token=[a-f0-9]+" }'),
    path: 'attack.execution.phases[0].extractors[0].selector',
  },
}

function document(extractor: string): string {
  return `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    phases:
      - state: { tools: [{ name: search, description: Searches the web }] }
        extractors:
          - ${extractor}
`
}
