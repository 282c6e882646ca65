/** Whatever a peer sends: nothing throws, nothing hangs, nothing is lost. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { methods } from '../../../src/drivers/mcp-server/methods/table.ts'
import { BOTH, openServer } from '../../support/mcp-server.ts'

const state = {
  tools: [{ name: 'a', responses: [{ content: '{{request.arguments.x}}' }] }],
  prompts: [{ name: 'a', responses: [{ messages: '{{request}}' }] }],
  resources: [{ uri: 'a', content: { text: 'x' } }],
  resource_templates: [{ uriTemplate: 'u://{x}', content: { text: 'x' } }],
}

const member = (name: string) => fc.oneof(fc.constant(name), fc.jsonValue())
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, { weight: 1, arbitrary: fc.jsonValue() }),
    id: fc.jsonValue(),
    method: fc.oneof(fc.constantFrom(...methods.keys(), 'notifications/cancelled', 'server/discover'), fc.jsonValue()),
    params: fc.oneof(
      fc.record(
        { name: member('a'), uri: member('a'), arguments: fc.jsonValue(), _meta: fc.jsonValue() },
        { requiredKeys: [] },
      ),
      fc.jsonValue(),
    ),
    result: fc.jsonValue(),
    error: fc.jsonValue(),
  },
  { requiredKeys: [] },
)
const body = fc.oneof(
  message.map((one) => JSON.stringify(one)),
  fc.array(message, { maxLength: 5 }).map((several) => JSON.stringify(several)),
  fc.string(),
)
const headers = fc.record(
  {
    accept: fc.oneof(fc.constantFrom(...Object.values(BOTH), 'text/event-stream', 'application/json'), fc.string()),
    'mcp-session-id': fc.string(),
    'last-event-id': fc.string(),
    'mcp-protocol-version': fc.string(),
    origin: fc.string(),
  },
  { requiredKeys: [] },
)

it('every request is answered and every body is in the trace', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('POST', 'POST', 'POST', 'DELETE', 'PUT'),
      headers,
      body,
      async (method, sent, text) => {
        const { call, stage, driver } = await openServer(state)
        const { status } = await call(method, sent, text)
        expect([200, 202, 400, 403, 404, 405]).toContain(status)
        const read = stage.messages.filter(({ flow }) => flow === 'in').length
        if (method === 'POST' && text !== '') expect(read).toBeGreaterThan(0)
        expect(stage.reports.filter(({ code }) => code === 'content-malformed')).toEqual([])
        await driver.close()
      },
    ),
    { numRuns: 300 },
  )
})
