/** A served agent under many clients with large messages. */
import { expect, test } from 'vitest'
import { serveAgUi } from '../../src/serve/ag-ui.ts'
import { leaf } from '../support/agents.ts'
import { useHost } from '../support/serve.ts'

const { host, closing } = useHost()
const CLIENTS = 200
const text = { type: 'string' } as const

test('200 clients with messages of 1 MB each get their own answer', { timeout: 120_000 }, async () => {
  const agent = leaf(({ input }) => `${String(input).slice(0, 9)} ${String(input).length}`, {
    input: text,
    output: text,
  })
  const { runtime } = host()
  const { url } = closing(await serveAgUi(runtime, agent))
  const ask = async (index: number) => {
    const content = `${String(index).padStart(9, '0')}${'x'.repeat(1_000_000)}`
    const body = { threadId: `t${index}`, runId: 'r', messages: [{ id: 'm', role: 'user', content }] }
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, tools: [], context: [], state: {} }),
    })
    return (await response.text()).includes(`"result":"${String(index).padStart(9, '0')} 1000009"`)
  }
  const answers = await Promise.all(Array.from({ length: CLIENTS }, (_, index) => ask(index)))
  expect(answers.filter(Boolean)).toHaveLength(CLIENTS)
  const json = { 'content-type': 'application/json' }
  const larger = await fetch(url, { method: 'POST', headers: json, body: `"${'x'.repeat(5_000_000)}"` })
  expect(larger.status).toBe(413)
})
