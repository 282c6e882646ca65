import type { Construct } from '@joust/source'
import { mcpServerDocument, type Rule } from '../rule.ts'

/** Checked only if the document was parsed from text. */
export const plainYaml: Rule = {
  summary: 'No YAML anchors, aliases, merge keys or custom tags.',
  check(walk, report) {
    for (const construct of walk.source?.constructs() ?? [])
      report(construct.path, constructMessage(construct), { at: construct.offset })
  },
  good: mcpServerDocument(`
    phases:
      - state: { tools: [] }
        trigger: { event: tools/list }
      - state: { tools: [] }
`),
  mistake: ['- state: { tools: [] }', '- state: &empty { tools: [] }'],
  path: 'attack.execution.phases[0].state',
}

/** Returns the message for a YAML construct that OATF forbids. */
export function constructMessage(construct: Construct): string {
  return `a YAML ${construct.kind} (${construct.text}) is not allowed in an OATF document; write the value out`
}
