import { expect, test } from 'vitest'
import { createEnrichment } from '../../src/ag-ui/enrichment.ts'

test('the end of a call has its complete arguments', () => {
  const enrich = createEnrichment()
  enrich('tool_call_start', { type: 'TOOL_CALL_START', toolCallId: 'a', toolCallName: 'pay' })
  for (const delta of ['{"to":"str', 'anger', '.example"}']) {
    const event = { type: 'TOOL_CALL_ARGS', toolCallId: 'a', delta }
    expect(enrich('tool_call_args', event)).toEqual({ content: { ...event, toolCallName: 'pay' } })
  }
  enrich('tool_call_args', { type: 'TOOL_CALL_ARGS', toolCallId: 'b', delta: 'other' })
  expect(enrich('tool_call_end', { type: 'TOOL_CALL_END', toolCallId: 'a' })).toEqual({
    content: { type: 'TOOL_CALL_END', toolCallId: 'a', toolCallName: 'pay' },
    args: '{"to":"stranger.example"}',
  })
})

test('a call without arguments has none', () => {
  const end = { type: 'TOOL_CALL_END', toolCallId: 'a' }
  expect(createEnrichment()('tool_call_end', end)).toEqual({ content: end })
})
