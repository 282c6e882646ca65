import { describe, expect, it } from 'vitest'
import { runtimeLimits } from '../../src/model/limits.ts'
import { assistantMessage, cutObservation, toolResult } from '../../src/react/observations.ts'

describe('observations', () => {
  it.each([
    ['text', false, { type: 'text', value: 'text' }],
    ['text', true, { type: 'error-text', value: 'text' }],
    [{ a: 1 }, false, { type: 'json', value: { a: 1 } }],
    [[1], true, { type: 'error-json', value: [1] }],
    [null, false, { type: 'json', value: null }],
  ])('%j (error: %s)', (content, isError, output) => {
    expect(toolResult('c', 'x', { content, isError }).output).toEqual(output)
  })

  it('are truncated, structured ones as text', () => {
    const short = { content: 'x'.repeat(runtimeLimits.observationCharacters), isError: false }
    expect(cutObservation(short)).toEqual({ observation: short })
    const { observation, cut } = cutObservation({
      content: { a: 'x'.repeat(runtimeLimits.observationCharacters) },
      isError: true,
    })
    expect(cut).toBe('the last 8 characters are missing')
    expect(observation.isError).toBe(true)
    expect(String(observation.content)).toMatch(/^\{"a":"x+\n\[cut: 8 more characters\]$/)
    const deep = JSON.parse(`${'['.repeat(600)}${']'.repeat(600)}`)
    expect(cutObservation({ content: deep, isError: false })).toEqual({
      observation: { content: '[nested too deeply to show]', isError: false },
      cut: 'nested too deeply',
    })
  })
})

describe('an answer as a message', () => {
  it('keeps provider metadata and drops unsupported parts', () => {
    const signature = { google: { thoughtSignature: 's' } }
    const message = assistantMessage({
      content: [
        { type: 'reasoning', text: 'hm', providerMetadata: signature },
        { type: 'text', text: '' },
        { type: 'source', sourceType: 'url', id: '1', url: 'https://x.example' },
        { type: 'tool-call', toolCallId: 'c', toolName: 'x', input: '{"a":1}', providerMetadata: signature },
      ],
      text: '',
      calls: [],
      finish: 'stop',
    })
    expect(message).toEqual({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm', providerOptions: signature },
        { type: 'tool-call', toolCallId: 'c', toolName: 'x', input: { a: 1 }, providerOptions: signature },
      ],
    })
  })
})
