import { own } from '@joust/source'
import { isSnakeCase, snakeCaseFault } from '../names.ts'
import { mcpServerDocument, type Rule } from '../rule.ts'

export const extractorNameFormat: Rule = {
  summary: 'Extractor names are snake_case.',
  check(walk, report) {
    for (const extractor of walk.extractors) {
      const name = own(extractor.value, 'name')
      const path = [...extractor.path, 'name']
      if (name === undefined) report(path, 'the field "name" is required: templates use it')
      else if (typeof name !== 'string' || !isSnakeCase(name)) report(path, ...snakeCaseFault(name))
    }
  },
  good: mcpServerDocument(`
    phases:
      - state: { tools: [{ name: search, description: Searches the web }] }
        extractors:
          - { name: search_query, source: request, type: json_path, selector: "$.arguments.query" }
`),
  mistake: ['name: search_query', 'name: searchQuery'],
  path: 'attack.execution.phases[0].extractors[0].name',
}
