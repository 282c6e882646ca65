import { isList } from '@joust/source'
import { attackOf, mappingAt } from './draft.ts'
import type { Step } from './step.ts'

export const tagSpelling: Step = {
  summary: 'Spell tags in lower case with hyphens.',
  apply(draft) {
    const classification = mappingAt(attackOf(draft), 'classification')
    if (classification === undefined || !isList(classification.tags)) return
    classification.tags = classification.tags.map((tag) =>
      typeof tag === 'string' ? tag.toLowerCase().replaceAll(/[_ ]/g, '-') : tag,
    )
  },
  before: `
oatf: "0.1"
attack:
  classification:
    tags: [Tool Poisoning, MCP]
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
}
