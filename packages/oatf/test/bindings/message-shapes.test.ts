import { describe, expect, test } from 'vitest'
import { a2aFieldTexts } from '../../src/bindings/a2a-shapes.ts'
import { agUiFieldTexts } from '../../src/bindings/ag-ui-shapes.ts'
import { mcpFieldTexts } from '../../src/bindings/mcp-shapes.ts'
import { messageShapes, messageText } from '../../src/bindings/message-shapes.ts'
import type { Shape } from '../../src/bindings/shape.ts'
import { followShape } from '../../src/bindings/shape-paths.ts'
import { bindings } from '../../src/bindings/table.ts'
import { wildcardSteps } from '../../src/primitives/resolve-wildcard-path.ts'

describe.each(bindings.map((binding) => [binding.protocol, binding] as const))('%s', (protocol, binding) => {
  const rows = messageShapes(protocol)

  test('every operation has its row, once', () => {
    expect(rows.map((row) => row.surface).sort()).toEqual([...binding.surfaces].sort())
  })

  test('the path to the text exists', () => {
    for (const { request, response, requestText, responseText } of rows) {
      for (const [shape, path] of [
        [request, requestText],
        [response, responseText],
      ] as const) {
        if (path === undefined) continue
        expect(shape && followShape(shape, wildcardSteps(path) ?? [], 'lists')).not.toEqual([])
      }
    }
  })

  test('some messages are usual and have a known text', () => {
    expect(rows.some((row) => row.usual && row.requestText)).toBe(true)
    expect(rows.some((row) => row.usual && row.responseText)).toBe(true)
  })
})

test.each(['mail', '', 'constructor'])('%j has no messages', (protocol) => {
  expect(messageShapes(protocol)).toEqual([])
  expect(messageText(protocol, 'name')).toBeUndefined()
})

test.each([
  ['mcp', mcpFieldTexts],
  ['a2a', a2aFieldTexts],
  ['ag_ui', agUiFieldTexts],
])('%s: sentences are about fields that messages have', (protocol, texts) => {
  const fields = messageShapes(protocol).flatMap(({ request, response }) => [request, response].flatMap(namesIn))
  for (const [field, text] of Object.entries(texts)) {
    expect(fields).toContain(field)
    expect(messageText(protocol, field)).toBe(text)
  }
})

function namesIn(shape: Shape | undefined): string[] {
  if (shape?.kind === 'list') return namesIn(shape.of)
  if (shape?.kind === 'choice') return shape.of.flatMap(namesIn)
  if (shape?.kind !== 'fields') return []
  const fields = { ...shape.required, ...shape.optional }
  return [...Object.keys(fields), ...Object.values(fields).flatMap(namesIn)]
}

// One path of each kind that the protocols' own examples show.
test.each([
  ['mcp', 'tools/call', 'request', 'arguments.any[*].thing'],
  ['mcp', 'tools/call', 'response', 'content[*].resource.text'],
  ['mcp', 'tools/list', 'response', 'tools[*].annotations.readOnlyHint'],
  ['mcp', 'initialize', 'request', 'clientInfo.name'],
  ['mcp', 'sampling/createMessage', 'request', 'messages[*].content.text'],
  ['mcp', 'notifications/progress', 'request', '_meta.trace'],
  ['a2a', 'message/send', 'request', 'message.parts[*].file.uri'],
  ['a2a', 'message/send', 'response', 'status.message.parts[*].text'],
  ['a2a', 'message/send', 'response', 'parts[*].text'],
  ['a2a', 'message/stream', 'response', 'artifact.parts[*].data.x'],
  ['a2a', 'agent_card/get', 'response', 'skills[*].tags[*]'],
  ['a2a', 'tasks/pushNotificationConfig/set', 'request', 'pushNotificationConfig.authentication.schemes[*]'],
  ['ag_ui', 'run_agent_input', 'request', 'messages[*].toolCalls[*].function.arguments'],
  ['ag_ui', 'run_agent_input', 'request', 'forwardedProps.x'],
  ['ag_ui', 'state_delta', 'response', 'delta[*].value.x'],
  ['ag_ui', 'run_finished', 'response', 'outcome.interrupts[*].reason'],
  ['ag_ui', 'tool_call_end', 'response', 'toolCallName'],
] as const)('%s %s %s has %s', (protocol, surface, direction, path) => {
  const shape = messageShapes(protocol).find((row) => row.surface === surface)?.[direction]
  expect(shape && followShape(shape, wildcardSteps(path) ?? [], 'lists').length).toBeGreaterThan(0)
})
