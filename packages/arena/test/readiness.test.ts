/** §11.3-6: no client acts before every server can be reached. */
import { expect, test } from 'vitest'
import type { RunEvent } from '../src/model/options.ts'
import { runAttack } from '../src/run.ts'
import { createMemoryHttp } from '../src/transport/memory-http.ts'
import { loadedAttack } from './support/attacks.ts'

const server = (name: string) => ({ name, mode: 'mcp_server', phases: [{ name: 'serving', state: { tools: [] } }] })
const client = { name: 'client', mode: 'mcp_client', phases: [{ state: { actions: [{ method: 'tools/list' }] } }] }
const attack = {
  // The client comes first, and the server that it does not talk to is slow.
  execution: { actors: [client, server('quick'), server('slow')] },
  indicators: [{ protocol: 'mcp', surface: 'tools/list', target: '', pattern: { condition: { exists: true } } }],
}

test('clients wait for all servers, in any document order', async () => {
  const network = createMemoryHttp()
  const slow: typeof network.listen = async (...words) => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    return network.listen(...words)
  }
  const events: RunEvent[] = []
  await runAttack(loadedAttack(attack), {
    wire: { client: 'quick' },
    listen: { slow: { kind: 'http', listen: slow } },
    limits: { graceMs: 0 },
    onEvent: (event) => events.push(event),
  })
  const told = events.map((event) => `${event.type} ${'actor' in event ? event.actor : ''}`.trim())
  expect(told.slice(0, 2).sort()).toEqual(['actor-ready quick', 'actor-ready slow'])
  expect(told.indexOf('phase-entered client')).toBeGreaterThan(1)
})

test('no client starts when a server cannot listen', async () => {
  const network = createMemoryHttp()
  const refused = () => Promise.reject(new Error('the port is taken'))
  const run = await runAttack(loadedAttack(attack), {
    wire: { client: 'quick' },
    listen: { slow: { kind: 'http', listen: refused }, quick: { kind: 'http', listen: network.listen } },
    limits: { graceMs: 0 },
  })
  expect(run.outcome).toBe('inconclusive')
  expect(run.trace).toEqual([])
})
