import type { CallToolResult } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { promptObservation, resourceObservation, toolObservation } from '../../src/connectors/mcp-results.ts'

const text = (...texts: string[]) => texts.map((one) => ({ type: 'text' as const, text: one }))

describe('results of tools', () => {
  test.each<[string, CallToolResult, unknown]>([
    ['nothing', { content: [] }, ''],
    ['texts', { content: text('a', 'b') }, 'a\nb'],
    ['only structured content', { content: [], structuredContent: { a: 1 } }, { a: 1 }],
    ['structured content that is repeated', { content: text('{ "a": 1 }'), structuredContent: { a: 1 } }, { a: 1 }],
    [
      'structured content and another text',
      { content: text('note'), structuredContent: { a: 1 } },
      { text: 'note', structuredContent: { a: 1 } },
    ],
    ['sound', { content: [{ type: 'audio', mimeType: 'audio/wav', data: 'AAAA' }] }, '[audio audio/wav, 3 bytes]'],
    [
      'a link',
      { content: [{ type: 'resource_link', uri: 'a://b', name: 'n', description: 'read it' }] },
      '[resource a://b: read it]',
    ],
    [
      'a resource in bytes',
      { content: [{ type: 'resource', resource: { uri: 'a://b', blob: 'AAA=' } }] },
      '[resource a://b, of unknown type, 2 bytes]',
    ],
  ])('%s', (_, result, content) => {
    expect(toolObservation(result)).toEqual({ content, isError: false })
  })

  test('isError is kept', () => {
    expect(toolObservation({ content: text('no'), isError: true })).toEqual({ content: 'no', isError: true })
  })

  test('names of prototype properties in structured content are data', () => {
    const structuredContent = JSON.parse('{"__proto__":{"polluted":true}}')
    const { content } = toolObservation({ content: [], structuredContent })
    expect(Object.keys(content as object)).toEqual(['__proto__'])
    expect({}).not.toHaveProperty('polluted')
  })
})

test('resources: text unchanged, bytes described', () => {
  const contents = [
    { uri: 'a://1', text: 'one' },
    { uri: 'a://2', mimeType: 'image/png', blob: 'AAAA' },
  ]
  expect(resourceObservation({ contents })).toEqual({
    content: 'one\n[resource a://2, image/png, 3 bytes]',
    isError: false,
  })
})

test('prompts: messages with their roles', () => {
  const messages = [
    { role: 'user' as const, content: { type: 'text' as const, text: 'hi' } },
    { role: 'assistant' as const, content: { type: 'image' as const, mimeType: 'image/png', data: 'AAAA' } },
  ]
  expect(promptObservation({ description: 'd', messages }).content).toEqual({
    description: 'd',
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: '[image image/png, 3 bytes]' },
    ],
  })
})
