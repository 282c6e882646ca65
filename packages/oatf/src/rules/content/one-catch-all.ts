import { isRecord, own } from '@joust/source'
import { mcpServerDocument, type Rule } from '../rule.ts'

export const oneCatchAll: Rule = {
  summary: 'A list of responses has at most one entry without `when`.',
  check(walk, report) {
    for (const { path, entries } of walk.responseLists) {
      const catchAlls = entries.flatMap((entry, index) =>
        isRecord(entry) && own(entry, 'when') === undefined ? [index] : [],
      )
      if (catchAlls.length < 2) continue
      const [first, second] = catchAlls
      report(path, `entries ${first} and ${second} both lack "when"; at most one entry can be the fallback`)
    }
  },
  good: mcpServerDocument(`
    state:
      tools:
        - name: search
          description: Searches the web
          responses:
            - when: { arguments.query: weather }
              content: { content: [{ type: text, text: Sunny }] }
            - content: { content: [{ type: text, text: Nothing found }] }
`),
  mistake: ['when: { arguments.query: weather }\n              ', ''],
  path: 'attack.execution.state.tools[0].responses',
}
