/** Any value under the keys of the extensions, and any message of a peer: every request is still answered. */
import { type Value, valueToText } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyValue } from '../../../results/test/support/entries.ts'
import * as a2a from '../support/a2a.ts'
import * as mcpServer from '../support/mcp-server.ts'
import * as agUi from './ag-ui-client/support.ts'

const runs = { numRuns: 60 }
const orText = (value: Value): fc.Arbitrary<Value> => fc.oneof(fc.constant(value), fc.string(), anyValue)
const page = fc.record(
  {
    path: orText('/page'),
    when: anyValue,
    content: fc.oneof(
      fc.record({ status: orText(200), headers: orText({ 'x-a': 'b' }), body: anyValue }, { requiredKeys: [] }),
      anyValue,
    ),
  },
  { requiredKeys: [] },
)
const signature = fc.record(
  { key: orText('a'), kid: anyValue, alg: orText('ES256'), jku: anyValue, of: anyValue },
  { requiredKeys: [] },
)
const headers = fc.oneof(fc.dictionary(orText('x-a').map(String), anyValue), anyValue)
/** A list of items, or any value. The items are plain data. */
const lists = (item: fc.Arbitrary<unknown>) =>
  fc.oneof(fc.array(item, { maxLength: 3 }), anyValue) as fc.Arbitrary<Value>

/** As they can be on the wire. */
const interrupts = fc.jsonValue().map((value) => value as Value)

describe('any value of', () => {
  test('x-joust-pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        lists(page),
        fc.constantFrom('/page', '/mcp/page', '/'),
        fc.string(),
        async (pages, path, body) => {
          const { call, ask, driver } = await mcpServer.openServer({ 'x-joust-pages': pages })
          const { status } = await call('POST', {}, body, `${path}?${encodeURIComponent(body)}`)
          expect(status).toBeGreaterThanOrEqual(200)
          expect(await ask('ping')).toEqual({})
          await driver.close()
        },
      ),
      runs,
    )
  })

  test('x-joust-headers', async () => {
    await fc.assert(
      fc.asyncProperty(headers, async (written) => {
        const { call, stage, driver } = await mcpServer.openServer({ 'x-joust-headers': written })
        const { status } = await call('POST', mcpServer.BOTH, '{"jsonrpc":"2.0","id":1,"method":"ping"}')
        expect(status).toBeGreaterThanOrEqual(100)
        expect(stage.events.map(({ surface }) => surface)).toEqual(['ping'])
        await driver.close()
      }),
      runs,
    )
  })

  test('x-joust-signature', async () => {
    await fc.assert(
      fc.asyncProperty(lists(signature), async (written) => {
        const { ask, driver } = await a2a.openServer({ 'x-joust-signature': written })
        expect(JSON.parse((await ask('GET', '/.well-known/agent-card.json')).text)).toHaveProperty('name')
        expect([200, 404]).toContain((await ask('GET', '/.well-known/jwks.json')).status)
        await driver.close()
      }),
      runs,
    )
  })

  test('x-joust-resume, for any interrupt', async () => {
    await fc.assert(
      fc.asyncProperty(lists(fc.record({ content: anyValue })), interrupts, async (resume, interrupts) => {
        const outcome = { type: 'interrupt', interrupts }
        const ends = agUi.streams([{ type: 'RUN_FINISHED', threadId: 't', runId: 'r', outcome }])
        const { perform, stage } = await agUi.play({ run_agent_input: agUi.input, 'x-joust-resume': resume }, ends)
        await perform()
        expect(stage.events.map(({ surface }) => surface)).toContain('run_finished')
      }),
      runs,
    )
  })

  test('send_push_notification, which never throws', async () => {
    await fc.assert(
      fc.asyncProperty(anyValue, orText('http://127.0.0.1:10001/'), anyValue, async (payload, url, written) => {
        const { driver, stage, ask } = await a2a.openServer({})
        const action = { payload, url, 'x-joust-headers': written }
        expect(await driver.enact?.('send_push_notification', action, stage.scene())).toBe(true)
        expect((await ask('GET', '/.well-known/agent-card.json')).status).toBe(200)
        await driver.close()
      }),
      runs,
    )
  })
})

test('any push notification is answered', async () => {
  const key = fc.constantFrom('task', 'message', 'statusUpdate', 'artifactUpdate', 'kind')
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.dictionary(key, anyValue), anyValue), async (value) => {
      const { post, driver } = await a2a.openServer({})
      const text = valueToText(value, 'document')
      expect((await post(text.ok ? text.value : '')).status).toBeGreaterThanOrEqual(200)
      await driver.close()
    }),
    runs,
  )
})
