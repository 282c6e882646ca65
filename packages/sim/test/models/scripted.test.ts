import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readScript, scriptedModel } from '../../src/models/scripted.ts'

const call = { prompt: [] }

describe('readScript', () => {
  it('reads a list of turns and an object with turns', () => {
    const turns = [{ text: 'hi' }, { tool_calls: [{ name: 'x', arguments: { a: 1 } }] }]
    expect(readScript('- text: hi\n- tool_calls: [{ name: x, arguments: { a: 1 } }]')).toEqual({
      ok: true,
      value: turns,
    })
    expect(readScript(JSON.stringify({ turns }))).toEqual({ ok: true, value: turns })
  })

  it.each([
    ['{}', 'turns', 'the field "turns" is required'],
    ['turns: 5', 'turns', 'expected a list, got an integer (5)'],
    ['- 5', '[0]', 'expected a mapping, got an integer (5)'],
    ['- {}', '[0]', 'a turn needs text, tool_calls or an error'],
    ['- { txt: hi, text: x }', '[0].txt', 'unknown field "txt".'],
    ['- text: 5', '[0].text', 'got an integer (5)'],
    ['- tool_calls: x', '[0].tool_calls', 'expected a list, got "x"'],
    ['- tool_calls: [{ arguments: {} }]', '[0].tool_calls[0].name', 'the field "name" is required'],
    ['- { text: x, error: { message: no } }', '[0].error', 'a turn with an error cannot have text'],
    ['- error: { status: 500 }', '[0].error.message', 'the field "message" is required'],
    [
      '- { text: x, usage: { input_tokens: -1, output_tokens: 2 } }',
      '[0].usage.input_tokens',
      'expected a whole number of at least 0',
    ],
  ])('%s', (text, path, message) => {
    const read = readScript(text)
    expect(read.ok ? [] : read.error).toMatchObject([{ path, line: 1, message: expect.stringContaining(message) }])
  })

  it('reports the findings of the reader', () => {
    expect(readScript('[')).toMatchObject({ ok: false })
  })

  it('never throws', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void readScript(JSON.stringify(value))))
    fc.assert(fc.property(fc.string(), (text) => void readScript(text)))
  })
})

describe('sim/scripted', () => {
  it('replays turns in order, for any prompt', async () => {
    const usage = { input_tokens: 11, output_tokens: 7 }
    const model = scriptedModel([
      { text: 'one', usage },
      {
        tool_calls: [
          { name: 'x', arguments: '{broken' },
          { name: 'y', id: 'mine' },
        ],
      },
    ])
    const first = await model.doGenerate(call)
    expect(first.content).toEqual([{ type: 'text', text: 'one' }])
    expect([first.usage.inputTokens.total, first.usage.outputTokens.total]).toEqual([11, 7])
    const second = await model.doGenerate(call)
    expect(second.finishReason.unified).toBe('tool-calls')
    expect(second.content).toEqual([
      { type: 'tool-call', toolCallId: 'scripted-2-1', toolName: 'x', input: '{broken' },
      { type: 'tool-call', toolCallId: 'mine', toolName: 'y', input: '{}' },
    ])
  })

  it('throws the scripted error, as a provider would', async () => {
    const model = scriptedModel([
      { error: { message: 'slow down', status: 429, retry_after: 2 } },
      { error: { message: 'odd' } },
    ])
    await expect(model.doGenerate(call)).rejects.toMatchObject({
      statusCode: 429,
      responseHeaders: { 'retry-after': '2' },
    })
    await expect(model.doStream(call)).rejects.toThrow('odd')
  })

  it('fails when it is asked once too often', async () => {
    const model = scriptedModel([{ text: 'only' }])
    await model.doGenerate(call)
    await expect(model.doGenerate(call)).rejects.toThrow('the script has only 1 turns; turn 2 was requested')
  })
})
