import { expect, test } from 'vitest'
import { atCursor, attack, languageOver } from '../cursor.ts'

const language = languageOver({})

async function labels(marked: string): Promise<string[]> {
  const { file, offset } = atCursor(marked)
  return (await language.complete(file, offset)).map(({ label }) => label)
}

/** The attack with a tool that takes arguments. */
const with_ = (from: string, to: string) =>
  attack
    .replaceAll(
      'inputSchema: { type: object }',
      'inputSchema: { type: object, properties: { ticket: {}, "two words": {} } }',
    )
    .replace(from, to)

test('declared arguments of tools are completed as paths', async () => {
  const arguments_ = ['arguments', 'arguments.ticket']
  expect(await labels(with_('target: arguments', 'target: ¦'))).toEqual(expect.arrayContaining(arguments_))
  expect(await labels(with_('target: arguments', 'target: ¦'))).not.toContain('arguments.two words')
  expect(await labels(with_('count: 2', 'match:\n                ¦'))).toEqual(expect.arrayContaining(arguments_))
  expect(await labels(with_('- content: {', '- when: { ¦ }\n                      content: {'))).toEqual(
    expect.arrayContaining(arguments_),
  )
  expect(await labels(with_('Order {{ticket}}', 'Order {{request.¦}}'))).toContain('request.arguments.ticket')
  // Not those of another actor.
  expect(await labels(with_('actor: shop', 'actor: peer').replace('target: arguments', 'target: ¦'))).not.toContain(
    'arguments.ticket',
  )
})

const inPrompt = (rest: string) => `oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    phases:
      - state:
          prompts:
            - name: plan
              arguments: [{ name: goal }]
              responses:
                - ${rest}
`

test('the response of a prompt is a message', async () => {
  const keys = await labels(inPrompt('¦'))
  expect(keys).toEqual(expect.arrayContaining(['when', 'messages', 'x-joust-during']))
  expect(keys).not.toContain('content')
  expect(await labels(inPrompt('messages: [{ ¦ }]'))).toEqual(['role', 'content'])
  expect(await labels(inPrompt('messages: [{ role: ¦ }]'))).toEqual(['user', 'assistant'])
  expect(await labels(inPrompt('when: { ¦ }'))).toContain('arguments.goal')
  const { file, offset } = atCursor(inPrompt('cont¦ent: []'))
  expect((await language.hover(file, offset, []))?.text).toContain('The content to send, as in the protocol')
})

test('a message before a response has the fields of its method', async () => {
  const during = (rest: string) => inPrompt(`x-joust-during:\n                    - ${rest}`)
  expect(await labels(during('¦'))).toEqual(['send'])
  expect(await labels(during('send: { ¦ }'))).toEqual(['method', 'params'])
  expect(await labels(during('send: { method: ¦ }'))).toContain('sampling/createMessage')
  expect(await labels(during('send: { method: sampling/createMessage, params: { ¦ } }'))).toContain('maxTokens')
  expect(await labels(during('send: { method: sampling/createMessage, params: { messages: [{ role: ¦ }] } }'))).toEqual(
    ['user', 'assistant'],
  )
})

test('enumerated values of protocol fields are completed', async () => {
  const inState = (mode: string, state: string) =>
    labels(`oatf: "0.1"\nattack:\n  execution:\n    mode: ${mode}\n    state:\n      ${state}`)
  const input = (message: string) => inState('ag_ui_client', `run_agent_input: { messages: [{ ${message} }] }`)
  expect(await input('role: ¦')).toEqual(['user', 'system', 'developer', 'reasoning', 'assistant', 'tool', 'activity'])
  expect(await input('role: assistant, ¦')).toContain('toolCalls')
  expect(await input('role: user, ¦')).not.toContain('toolCalls')
  expect(await inState('a2a_server', 'task_responses: [{ content: { status: { state: ¦ } } }]')).toContain(
    'input-required',
  )
  expect(await inState('mcp_server', 'capabilities: { tools: { ¦ } }')).toEqual(['listChanged'])
  const overlay = 'tools: [{ name: a, responses: [{ x-joust-overlay: ¦ }] }]'
  expect(await inState('mcp_server', overlay)).toEqual(['append', 'replace', 'field '])
})

test('conditions have their operators in triggers and responses', async () => {
  const operators = expect.arrayContaining(['contains', 'regex', 'exists'])
  expect(await labels(with_('count: 2', 'match: { arguments: { ¦ } }'))).toEqual(operators)
  expect(await labels(inPrompt('when: { arguments.goal: { ¦ } }'))).toEqual(operators)
})

test('templates are completed with the names of their own actor first', async () => {
  expect(await labels(with_('count: 2', 'match: { arguments: "{{¦}}" }'))).toEqual([])
  expect(await labels(with_('contains: secret', 'contains: "{{¦}}"'))).toEqual([])
  const peer = with_(
    'agent_card: { name: peer, url: "http://x/{{shop.ticket}}" }',
    'agent_card: { name: "{{¦" }\n            extractors: [{ name: mine }]',
  )
  expect((await labels(peer)).slice(0, 2)).toEqual(['mine', 'shop.ticket'])
})

test('a word in place of a mapping can become its key', async () => {
  expect(await labels(attack.replace('severity: high', 'severity:\n    le¦'))).toContain('level')
})
