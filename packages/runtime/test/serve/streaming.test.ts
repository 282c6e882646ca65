/** Streamed text over A2A, and earlier messages for agents whose models are further down. */
import { randomUUID } from 'node:crypto'
import { Role } from '@a2a-js/sdk'
import { ClientFactory } from '@a2a-js/sdk/client'
import { HttpAgent } from '@ag-ui/client'
import { expect, test } from 'vitest'
import { serveA2a } from '../../src/serve/a2a.ts'
import { serveAgUi } from '../../src/serve/ag-ui.ts'
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
