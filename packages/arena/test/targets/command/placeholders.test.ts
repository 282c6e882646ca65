import { expect, test } from 'vitest'
import { fillPlaceholders } from '../../../src/targets/command/placeholders.ts'

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

test('a name that is not known is an error with those that are', () => {
  expect(fillPlaceholders(['x', '{a_b.url}'], values)).toEqual({
    ok: false,
    error: 'the command has the placeholder {a_b.url}; there are {prompt}, {a-b.url}. Did you mean "a-b.url"?',
  })
})
