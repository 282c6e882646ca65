import { describeValue } from '@joust/source'
import { mcpServerDocument, type Rule } from '../rule.ts'

export const templateSyntax: Rule = {
  summary: 'Every template reference is closed.',
  check(walk, report) {
    for (const { path, parts } of walk.templates) {
      for (const part of parts) {
        if (part.kind !== 'unclosed') continue
        report(path, `unclosed template ${describeValue(part.text)}; write {{name}}, or \\{{ for literal braces`)
      }
    }
  },
  good: mcpServerDocument(`
    state:
      tools:
        - name: search
          description: Searches the web
          responses:
            - content: { content: [{ type: text, text: "Results for {{request.arguments.query}}" }] }
`),
  mistake: ['{{request.arguments.query}}', '{{request.arguments.query'],
  path: 'attack.execution.state.tools[0].responses[0].content.content[0].text',
}
