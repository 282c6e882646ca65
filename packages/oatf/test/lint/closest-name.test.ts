import { suggestions } from '@joust/source'
import { expect, test } from 'vitest'
import { sameWords } from '../../src/bindings/same-words.ts'
import { bindings } from '../../src/bindings/table.ts'
import { closestName } from '../../src/lint/closest-name.ts'

const mcp = bindings.find(({ protocol }) => protocol === 'mcp')?.surfaces ?? []

test.each([
  ['tool/call', 'tools/call'],
  ['tools/calls', 'tools/call'],
  ['tools/cal', 'tools/call'],
  ['tools.call', 'tools/call'],
  ['server/discovers', 'server/discover'],
  ['Tools/Call', 'tools/call'],
  ['call_tool', 'tools/call'],
  ['callTool', 'tools/call'],
  ['list-resources', 'resources/list'],
  ['resource/templates/list', 'resources/templates/list'],
  ['sampling/create_message', 'sampling/createMessage'],
  ['notification/tools/list_changed', 'notifications/tools/list_changed'],
])('one letter wrong: %s is meant to be %s', (word, meant) => {
  expect(closestName(word, mcp, suggestions())).toBe(meant)
})

test.each(['tasks/send', 'tools/dance', 'server/listen', 'notifications/tasks/list_changed', '', 'x'.repeat(1000)])(
  'what may be a name of its own is left alone: %s',
  (word) => {
    expect(closestName(word, mcp, suggestions())).toBeUndefined()
  },
)

test('no two operations of a binding have the same words', () => {
  for (const { surfaces } of bindings) {
    expect(surfaces.map((surface) => sameWords(surface, surfaces))).toEqual(surfaces)
  }
})
