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
    ['oatf', '# ours\r\n\r\noatf: "0.1"\nattack: ['],
    ['oatf', '\ufeffoatf:\n  - 1\nmetadata: {}\ninterface: {}'],
    ['agent-format', AGENT],
    ['agent-format', 'schema_version: "1.0.0"\nmetadata: {}'],
    ['agent-format', 'metadata: {}\nexecution_policy: {}'],
    ['agent-format', `${AGENT}\n  - [`],
    ['unknown', 'schema_version: 3'],
    ['unknown', 'metadata: {}'],
    ['unknown', 'steps:\n  oatf: "0.1"'],
    ['unknown', '- oatf'],
    ['unknown', ' oatf'],
    ['unknown', 'oatf:0.1'],
    ['unknown', ''],
  ])('%s: %j', (format, text) => {
    expect(formatOf(text)).toBe(format)
  })

  test('millions of blank lines do not exhaust the pattern', () => {
    const blank = '\n'.repeat(4_000_000)
    expect([formatOf(blank), formatOf(`${blank}oatf: "0.1"`)]).toEqual(['unknown', 'oatf'])
  })
})
