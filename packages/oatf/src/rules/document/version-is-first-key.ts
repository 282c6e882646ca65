import { own } from '@joust/source'
import type { Rule } from '../rule.ts'

/** V-002 of the OATF SDK is the same check. */
export const versionIsFirstKey: Rule = {
  summary: '`oatf`, if present, is the first key of the document.',
  check(walk, report) {
    const [first] = Object.keys(walk.document)
    if (own(walk.document, 'oatf') === undefined || first === 'oatf') return
    report(['oatf'], `"oatf" should be the first key of the document; it comes after "${first}"`, { at: 'key' })
  },
  good: `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
  mistake: ['oatf:', '$schema: https://example.org/oatf.json\noatf:'],
  path: 'oatf',
}
