import { expect, test } from 'vitest'
import { fillPlaceholders } from '../../src/command/placeholders.ts'

const values = new Map([
  ['prompt', '{mcp_config} $& $1'],
  ['a-b.url', 'http://x'],
])

test.each<[string, string]>([
  ['{prompt}', '{mcp_config} $& $1'],
  ['--url={a-b.url},{a-b.url}', '--url=http://x,http://x'],
  ['{{prompt}}', '{prompt}'],
  ['{{anything}}', '{anything}'],
  ['{"a": {"b": 1}} {} { prompt }', '{"a": {"b": 1}} {} { prompt }'],
])('%s', (word, filled) => {
  expect(fillPlaceholders([word], values)).toEqual({ ok: true, value: [filled] })
})

test('an unknown placeholder is an error that lists the available ones', () => {
  expect(fillPlaceholders(['x', '{a_b.url}'], values)).toEqual({
    ok: false,
    error: 'unknown placeholder {a_b.url}; available: {prompt}, {a-b.url}. Did you mean "a-b.url"?',
  })
})
