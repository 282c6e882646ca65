import { describe, expect, test } from 'vitest'
import { formatOf } from '../../src/input/format-of.ts'
import { AGENT, GOOD } from '../world.ts'

describe('formatOf', () => {
  test.each([
    ['oatf', GOOD],
    ['oatf', 'attack: {}'],
    ['oatf', '{"oatf": "0.1"}'],
    ['oatf', 'metadata: {}\ninterface: {}\noatf: "0.1"'],
    ['oatf', `${GOOD}\n  - [`],
    ['oatf', '{\n  "oatf": "0.1",\n  "attack": [\n}'],
    ['agent-format', AGENT],
    ['agent-format', 'schema_version: "1.0.0"\nmetadata: {}'],
    ['agent-format', 'metadata: {}\nexecution_policy: {}'],
    ['agent-format', `${AGENT}\n  - [`],
    ['unknown', 'schema_version: 3'],
    ['unknown', 'metadata: {}'],
    ['unknown', 'steps:\n  oatf: "0.1"'],
    ['unknown', '- oatf'],
    ['unknown', ''],
  ])('%s: %j', (format, text) => {
    expect(formatOf(text)).toBe(format)
  })
})
