import { describeValue, ownText } from '@joust/source'
import { mcpServerDocument, type Rule } from '../rule.ts'

/** V-013 reports a selector that is not a regular expression. */
export const regexHasCapture: Rule = {
  summary: 'The selector of a regex extractor has a capture group.',
  check(walk, report, syntax) {
    for (const { path, value } of walk.extractors) {
      const selector = ownText(value, 'selector')
      if (ownText(value, 'type') !== 'regex' || selector === undefined) continue
      const regex = syntax.regex(selector)
      if (!regex.ok || regex.value.groupCount > 0) continue
      report(
        [...path, 'selector'],
        `${describeValue(selector)} has no capture group, so it extracts nothing; put parentheses around the part to extract`,
      )
    }
  },
  good: mcpServerDocument(`
    phases:
      - state: { tools: [{ name: search, description: Searches the web }] }
        extractors:
          - { name: token, source: request, type: regex, selector: "token=([a-f0-9]+)" }
`),
  mistake: ['selector: "token=([a-f0-9]+)"', 'selector: "token=[a-f0-9]+"'],
  path: 'attack.execution.phases[0].extractors[0].selector',
}
