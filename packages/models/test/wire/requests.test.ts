/** One conversation as each wire writes it, in the same shape. */
import { describe, expect, test } from 'vitest'
import { type ModelCall, readCall } from '../../src/index.ts'

const schema = { type: 'object', properties: { q: { type: 'string' } } }
const messages = [
  { role: 'system', text: 'Be kind.' },
  { role: 'user', text: 'Look it up.' },
  { role: 'call', id: 'c1', name: 'look', input: { q: 'x' } },
  { role: 'result', id: 'c1', text: 'found' },
]
const tools = [{ name: 'look', description: 'Looks.', schema }]

function read(path: string, body: object): ModelCall {
  const request = { headers: [], size: 0, body: JSON.stringify(body) }
  return readCall({
    sequence: 1,
    method: 'POST',
    path,
    request,
    end: 'unanswered',
    started: 0,
    duration: 0,
    diagnostics: [],
  })
}

const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"q":"x"}' } }
const chat = {
  model: 'm',
  messages: [
    { role: 'developer', content: 'Be kind.' },
    { role: 'user', content: [{ type: 'text', text: 'Look it up.' }, { type: 'image_url' }] },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'found' },
  ],
  tools: [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters: schema } }],
  tool_choice: 'required',
}
const responses = {
  model: 'm',
  instructions: 'Be kind.',
  input: [
    { role: 'user', content: [{ type: 'input_text', text: 'Look it up.' }] },
    { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"q":"x"}' },
    { type: 'function_call_output', call_id: 'c1', output: 'found' },
  ],
  tools: [{ type: 'function', name: 'look', description: 'Looks.', parameters: schema }, { type: 'web_search' }],
  tool_choice: 'required',
}
const anthropic = {
  model: 'm',
  system: [{ type: 'text', text: 'Be kind.' }],
  messages: [
    { role: 'user', content: 'Look it up.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: { q: 'x' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'found' }] }] },
  ],
  tools: [{ name: 'look', description: 'Looks.', input_schema: schema }],
  tool_choice: { type: 'any' },
}
const gemini = {
  systemInstruction: { parts: [{ text: 'Be kind.' }] },
  contents: [
    { role: 'user', parts: [{ text: 'Look it up.' }] },
    { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'look', args: { q: 'x' } } }] },
    { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'look', response: { output: 'found' } } }] },
  ],
  tools: [{ functionDeclarations: [{ name: 'look', description: 'Looks.', parametersJsonSchema: schema }] }],
  toolConfig: { functionCallingConfig: { mode: 'ANY' } },
}

test.each([
  ['/v1/chat/completions', 'openai-chat', chat],
  ['/v1/responses', 'openai-responses', responses],
  ['/v1/messages', 'anthropic-messages', anthropic],
  ['/v1beta/models/m:generateContent', 'gemini', gemini],
])('%s', (path, wire, body) => {
  expect(read(path, body)).toMatchObject({ wire, model: 'm', messages, tools, choice: 'required', streamed: false })
})

describe('particular requests', () => {
  test('the groups of Codex: the description holds the instructions of a server', () => {
    const group = {
      type: 'namespace',
      name: 'mail',
      description: 'Instructions.',
      tools: [{ type: 'function', name: 'send', description: 'Sends.' }],
    }
    const past = { type: 'function_call', call_id: 'c', namespace: 'mail', name: 'send', arguments: '{}' }
    const { tools: offered, messages: said } = read('/v1/responses', { input: [past], tools: [group] })
    expect(offered).toEqual([
      { name: 'mail', description: 'Instructions.' },
      { name: 'mail__send', description: 'Sends.', schema: {}, group: 'mail' },
    ])
    expect(said).toEqual([{ role: 'call', id: 'c', name: 'mail__send', input: {} }])
  })

  test('arguments that are not JSON stay text, and results without text become JSON', () => {
    const body = {
      messages: [
        { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{oops' } }] },
        { role: 'tool', tool_call_id: 'a', content: { x: 1 } },
      ],
    }
    expect(read('/chat/completions', body).messages).toEqual([
      { role: 'call', id: 'a', name: 'f', input: '{oops' },
      { role: 'result', id: 'a', text: '{"x":1}' },
    ])
  })
})
