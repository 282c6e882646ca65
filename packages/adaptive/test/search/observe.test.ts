import type { Value } from '@joust/source'
import { expect, test } from 'vitest'
import type { TraceEntry } from '../../../results/src/model/trace-entry.ts'
import { observe } from '../../src/search/observe.ts'

const plain = { text: (text: string) => text }

function entry(protocol: string, surface: string, content: Value, more: Partial<TraceEntry> = {}): TraceEntry {
  const base = { seq: 1, at: '', elapsed_ms: 0, actor: 'a', mode: `${protocol}_x`, phase: 'p', direction: 'request' }
  return { ...base, protocol, surface, content, flow: 'in', ...more } as TraceEntry
}

test('tells calls and whole texts, not lists and pieces', () => {
  const seen = observe(plain)
  seen.add(entry('mcp', 'initialize', {}))
  seen.add(entry('mcp', 'resources/templates/list', {}))
  seen.add(entry('mcp', 'tools/call', { name: 'get_status' }))
  seen.add(entry('mcp', 'tools/call', { content: [] }, { flow: 'out' }))
  for (const delta of ['I ', 'will ', 'not']) seen.add(entry('ag_ui', 'text_message_content', { delta }))
  seen.add(entry('ag_ui', 'text_message_content', { delta: 'I will not' }, { derived: true }))
  seen.add(entry('ag_ui', 'text_message_end', { _text: 'I will not' }, { derived: true }))
  seen.add({ ...entry('ag_ui', 'tool_call_end', { toolCallName: 'show' }), arguments: '{"a":1}' })
  expect(seen.lines()).toEqual(['tools/call: {"name":"get_status"}', 'said: I will not', 'called show with {"a":1}'])
})

test('of a long run the beginning and the end', () => {
  const seen = observe(plain)
  for (let n = 1; n <= 30; n++) seen.add(entry('mcp', 'tools/call', { n }))
  const lines = seen.lines()
  expect(lines).toHaveLength(21)
  expect([lines[0], lines[10], lines[20]]).toEqual(['tools/call: {"n":1}', '(10 more)', 'tools/call: {"n":30}'])
})

test('hides secrets', () => {
  const seen = observe({ text: (text) => text.replaceAll('hunter2', '***') })
  seen.add(entry('mcp', 'tools/call', { password: 'hunter2' }))
  expect(seen.lines()).toEqual(['tools/call: {"password":"***"}'])
})
