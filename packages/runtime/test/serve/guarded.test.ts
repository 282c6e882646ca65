/** Guardrails of the output and served agents: no text reaches a client before the check. */
import { HttpAgent } from '@ag-ui/client'
import { expect, test } from 'vitest'
import type { Guardrail } from '../../src/model/governance.ts'
import { serveA2a } from '../../src/serve/a2a.ts'
import { serveAgUi } from '../../src/serve/ag-ui.ts'
import { react, scripts } from '../support/react.ts'
import { useHost } from '../support/serve.ts'

const { host, closing } = useHost()
const SECRET = '1234-5678'

/** An agent that says the secret beside a call and in its answer; `stages` are those of the guardrail. */
function guarded(stages: Guardrail['stages']) {
  const parts = {
    input: { type: 'string' as const },
    action_space: { local_tools: [{ alias: 'look' }] },
    constraints: { governance_policies: [{ policy_ref: 'org.p' }] },
  }
  const check: Guardrail['check'] = ({ value }) => ({ allowed: !JSON.stringify(value).includes(SECRET) })
  const policy = { id: 'org.p', guardrails: [{ name: 'cards', ...(stages && { stages }), check }] }
  const script = [{ text: `Found ${SECRET}.`, tool_calls: [{ name: 'look' }] }, { text: `It is ${SECRET}.` }]
  return {
    agent: react('m', parts),
    ...host({
      models: scripts({ m: script }),
      tools: { look: () => 'seen' },
      governance: { resolve: () => policy },
    }),
  }
}

async function agUi(stages: Guardrail['stages']): Promise<string> {
  const { agent, runtime } = guarded(stages)
  const { url } = closing(await serveAgUi(runtime, agent))
  const client = new HttpAgent({ url, threadId: 't1' })
  client.messages = [{ id: 'm1', role: 'user', content: 'Tell me.' }]
  const received: unknown[] = []
  await client.runAgent({}, { onEvent: ({ event }) => void received.push(event) }).catch(() => {})
  return JSON.stringify(received)
}

async function a2a(stages: Guardrail['stages']): Promise<string> {
  const { agent, runtime } = guarded(stages)
  const { url } = closing(await serveA2a(runtime, agent))
  const message = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'Tell me.' }] }
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message } }),
  })
  return response.text()
}

test.each([
  ['AG-UI', agUi],
  ['A2A', a2a],
])('%s: a denied output is not streamed, nor a text beside a call', async (_, ask) => {
  for (const stages of [undefined, ['output'] as const]) {
    const received = await ask(stages)
    expect(received).toContain('guardrail_denied')
    expect(received).not.toContain(SECRET)
  }
  // A guardrail of other stages leaves the stream alone.
  expect(await ask(['tool_result'])).toContain(SECRET)
})
