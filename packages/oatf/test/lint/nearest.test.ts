import { expect, test } from 'vitest'
import { messageShapes } from '../../src/bindings/message-shapes.ts'
import { nearestPath } from '../../src/lint/nearest.ts'
import { kindsOf } from '../../src/traffic/message-kinds.ts'

const kinds = (protocol: string, direction?: string, surface?: string) =>
  messageShapes(protocol)
    .filter((row) => surface === undefined || row.surface === surface)
    .flatMap((row) => kindsOf(row, protocol === 'ag_ui' ? 'client' : 'server'))
    .filter((kind) => direction === undefined || kind.direction === direction)

test.each([
  ['wildcards that are missing', 'mcp', 'response', 'tools.description', 'tools[*].description', 'tools/list'],
  ['wildcards that are too many', 'mcp', 'request', 'clientInfo[*].name', 'clientInfo.name', 'initialize'],
  ['an envelope', 'mcp', 'request', 'params.arguments', 'arguments', 'tools/call'],
  ['an envelope around a list, down to its text', 'mcp', 'response', 'result.content', 'content[*].text', 'tools/call'],
  ['an envelope around an argument', 'mcp', 'request', 'params.arguments.debug', 'arguments.debug', 'tools/call'],
  [
    'an envelope around one that is called as a field is',
    'mcp',
    'request',
    'params.arguments.name',
    'arguments.name',
    'tools/call',
  ],
  ['two envelopes', 'a2a', 'request', 'a2a.task.message', 'message.parts[*].text', 'message/send'],
  ['a misspelled name', 'mcp', 'request', 'clientInfo.nmae', 'clientInfo.name', 'initialize'],
  ['an unusual operation, when it has just this', 'mcp', 'response', 'roots.uri', 'roots[*].uri', 'roots/list'],
  ['nothing like it', 'ag_ui', 'response', 'answer', 'delta', 'text_message_content'],
] as const)('%s', (_, protocol, direction, target, path, surface) => {
  expect(nearestPath(target, kinds(protocol, direction), false)).toEqual({ path, surface })
})

test('without message kinds there is no nearest path', () => {
  expect(nearestPath('answer', [], false)).toBeUndefined()
  expect(nearestPath('answer', kinds('mcp', 'request', 'ping'), true)).toBeUndefined()
})
