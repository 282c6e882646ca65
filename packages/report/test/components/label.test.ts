import type { Value } from '@joust/source'
import { expect, test } from 'vitest'
import { labelOf } from '../../src/components/label.ts'

const cases: readonly (readonly [Value, string])[] = [
  [{ name: 'mail', arguments: {} }, 'mail'],
  [{ uri: 'file:///x' }, 'file:///x'],
  [{ code: -32602, message: 'no such tool' }, 'error -32602 no such tool'],
  [{ tools: [{ name: 'a' }, { name: 'b' }] }, 'a, b'],
  [{ content: [{ type: 'text', text: 'hello\n  you' }] }, 'hello you'],
  [{ message: { parts: [{ text: 'for you' }] } }, 'for you'],
  [{ type: 'RUN_STARTED' }, 'RUN_STARTED'],
  [{ type: 'TOOL_CALL_RESULT', content: 'it rains' }, 'it rains'],
  [{ kind: 'task', status: { state: 'working' } }, 'working'],
  [{ kind: 'task', status: { state: 'completed' }, artifacts: [{ parts: [{ text: 'paid' }] }] }, 'paid'],
  ['just text', 'just text'],
  [42, '42'],
  [null, 'null'],
  [{}, ''],
  [{ content: null, message: [null] }, ''],
]

test.each(cases)('%j', (content, label) => {
  expect(labelOf(content)).toBe(label)
})

test('a label is short', () => {
  expect(labelOf('x'.repeat(100_000)).length).toBeLessThan(80)
})
