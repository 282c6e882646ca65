/** Streamed text over A2A, and earlier messages for agents whose models are further down. */
import { randomUUID } from 'node:crypto'
import { Role } from '@a2a-js/sdk'
import { ClientFactory } from '@a2a-js/sdk/client'
import { HttpAgent } from '@ag-ui/client'
import { expect, test } from 'vitest'
import { serveA2a } from '../../src/serve/a2a.ts'
import { serveAgUi } from '../../src/serve/ag-ui.ts'
import { serveAll } from '../../src/serve/all.ts'
import { makeAgent } from '../support/agents.ts'
import { react, scripts } from '../support/react.ts'
import { useHost } from '../support/serve.ts'

const { host, closing } = useHost()

test('A2A: text arrives in chunks of the artifact, and the last chunk has all of it', async () => {
  const script = [{ text: 'Let me see.', tool_calls: [{ name: 'look' }] }, { text: 'The answer is forty-two.' }]
  const agent = react('m', { input: { type: 'string' }, action_space: { local_tools: [{ alias: 'look' }] } })
  const { runtime } = host({ models: scripts({ m: script }), tools: { look: () => 'seen' } })
  const { url } = closing(await serveA2a(runtime, agent))
  const peer = await new ClientFactory().createFromUrl(url)
  const part = {
    content: { $case: 'text' as const, value: 'Tell me.' },
    metadata: undefined,
    filename: '',
    mediaType: '',
  }
  const message = {
    ...{ messageId: randomUUID(), role: Role.ROLE_USER, parts: [part], taskId: '', contextId: '' },
    ...{ extensions: [], metadata: undefined, referenceTaskIds: [] },
  }
  let text = ''
  let chunks = 0
  const request = { message, configuration: undefined, metadata: undefined, tenant: '' }
  for await (const { payload } of peer.sendMessageStream(request)) {
    if (payload?.$case !== 'artifactUpdate') continue
    const [{ content } = { content: undefined }] = payload.value.artifact?.parts ?? []
    const piece = content?.$case === 'text' ? content.value : ''
    text = payload.value.append ? text + piece : piece
    if (!payload.value.lastChunk) chunks += 1
  }
  expect(text).toBe('The answer is forty-two.')
  expect(chunks).toBeGreaterThan(1)
})

test('AG-UI: the models of a team get the earlier messages', async () => {
  const writer = react('m', { id: 'writer', input: { type: 'string' } })
  const team = makeAgent({
    id: 'team',
    output: { type: 'string' },
    policy: { id: 'agf.sequential', config: { steps: [{ agent: 'writer' }] } },
    agents: { writer },
  })
  const prompts: string[] = []
  const models = scripts({ m: [{ text: 'one' }, { text: 'two' }] })
  const { runtime } = host({ models, onModelCall: ({ call }) => void prompts.push(JSON.stringify(call.prompt)) })
  const { url } = closing(await serveAgUi(runtime, team))
  const agent = new HttpAgent({ url, threadId: 't1' })
  for (const content of ['Remember tea.', 'What was it?']) {
    agent.messages.push({ id: randomUUID(), role: 'user', content })
    await agent.runAgent()
  }
  expect(prompts[0]).not.toContain('What was it?')
  expect(prompts[1]).toContain('Remember tea.')
  expect(prompts[1]).toMatch(/one.*What was it\?/)
})

test('the text of an object with one field is streamed over AG-UI and A2A', async () => {
  const output = { type: 'object', properties: { response: { type: 'string' } }, required: ['response'] } as const
  const agent = react('m', { input: { type: 'string' }, output })
  const answer = { text: '{"response":"The answer is \\"forty-two\\"."}' }
  const { runtime } = host({ models: scripts({ m: [answer, answer] }) })
  const { urls } = closing(await serveAll(runtime, agent, ['ag-ui', 'a2a']))
  const client = new HttpAgent({ url: urls['ag-ui'] ?? '', threadId: 't1' })
  client.messages = [{ id: 'm', role: 'user', content: 'Tell me.' }]
  let chunks = 0
  await client.runAgent({}, { onTextMessageContentEvent: () => void chunks++ })
  expect(client.messages.slice(1)).toMatchObject([{ role: 'assistant', content: 'The answer is "forty-two".' }])
  expect(chunks).toBeGreaterThan(1)
  const message = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'Tell me.' }] }
  const response = await fetch(urls.a2a ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message } }),
  })
  const updates = (await response.text()).split('\n').filter((line) => line.includes('artifact-update'))
  const texts = updates.map((line) => /"text":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? '')
  expect(texts.length).toBeGreaterThan(2)
  expect(texts.slice(0, -1).join('')).toBe('The answer is \\"forty-two\\".')
  expect(texts.at(-1)).toBe('The answer is \\"forty-two\\".')
})
