import { describeValue, own } from '@joust/source'
import type { Rule } from '../rule.ts'

const supportedVersions: readonly string[] = ['0.1']

export const supportedVersion: Rule = {
  summary: '`oatf` is present and is a supported version.',
  check(walk, report) {
    const version = own(walk.document, 'oatf')
    if (version === undefined) report(['oatf'], 'the field "oatf" is required: oatf: "0.1"')
    else if (typeof version !== 'string') {
      report(['oatf'], `expected a version in quotes such as "0.1", got ${describeValue(version)}`)
    } else if (!supportedVersions.includes(version)) {
      report(
        ['oatf'],
        `version ${describeValue(version)} is not supported; this SDK reads ${supportedVersions.join(', ')}`,
      )
    }
  },
  good: `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
  mistake: ['oatf: "0.1"', 'oatf: "0.9"'],
  path: 'oatf',
}
