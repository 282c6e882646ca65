/** Arbitrary input of a peer: nothing throws, nothing hangs, nothing is lost. */
import { readJson, writeJson } from '@joust/source'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyValue } from '../../../../results/test/support/entries.ts'
import { methods } from '../../../src/drivers/mcp-server/methods/table.ts'
import { BOTH, openServer } from '../../support/mcp-server.ts'

const state = {
  tools: [{ name: 'a', responses: [{ content: '{{request.arguments.x}}' }] }],
  prompts: [{ name: 'a', responses: [{ messages: '{{request}}' }] }],
  resources: [{ uri: 'a', content: { text: 'x' } }],
  resource_templates: [{ uriTemplate: 'u://{x}', content: { text: 'x' } }],
}

const member = (name: string) => fc.oneof(fc.constant(name), anyValue)
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, { weight: 1, arbitrary: anyValue }),
    id: anyValue,
    method: fc.oneof(fc.constantFrom(...methods.keys(), 'notifications/cancelled', 'server/discover'), anyValue),
    params: fc.oneof(
      fc.record({ name: member('a'), uri: member('a'), arguments: anyValue, _meta: anyValue }, { requiredKeys: [] }),
      anyValue,
    ),
    result: anyValue,
    error: anyValue,
  },
  { requiredKeys: [] },
)
const body = fc.oneof(
  message.map((one) => writeJson(one)),
  fc.array(message, { maxLength: 5 }).map((several) => writeJson(several)),
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

/**
 * What the trace must contain for a body, worked out without the driver: contents without their envelope, or the text.
 */
function contentsOf(text: string, status: number): unknown[] {
  const read = readJson(text)
  if (!read.ok) return [text]
  const { value } = read
  // Rejected before it was read as a message.
  if (status === 403 || status === 404) return [text]
  if (!Array.isArray(value)) return [contentOf(value, text)]
  return value.length === 0 ? [text] : value.map((item) => contentOf(item, writeJson(item)))
}

function contentOf(value: unknown, text: string): unknown {
  const { jsonrpc, method, params = {}, result, error } = Object(value)
  const isMessage = typeof value === 'object' && !Array.isArray(value) && jsonrpc === '2.0'
  if (!isMessage) return text
  if (typeof method === 'string') return params
  if (method !== undefined) return text
  if (error !== undefined && (error !== null || result === undefined)) return error
  return result === undefined ? text : result
}

const sorted = (contents: readonly unknown[]) => contents.map((content) => writeJson(content)).sort()

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
        const read = stage.messages.filter(({ flow }) => flow === 'in').map(({ content }) => content)
        const wanted = method === 'POST' ? contentsOf(text, status) : [text]
        if (text !== '') expect(sorted(read)).toEqual(sorted(wanted))
        expect(stage.reports.filter(({ code }) => code === 'content-malformed')).toEqual([])
        await driver.close()
      },
    ),
    { numRuns: 300 },
  )
})
