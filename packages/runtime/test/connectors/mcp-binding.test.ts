import { scriptedModel } from '@joust/sim'
import { InMemoryTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { mcpTransport } from '../../src/connectors/mcp-binding.ts'
import { createServer } from '../fixtures/mcp-tools.mjs'
import { react } from '../support/react.ts'
import { run } from '../support/run.ts'

test('a host binds a server in memory', async () => {
  const notes = mcpTransport(async () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    await createServer().connect(theirs)
    return ours
  })
  const agent = react('m', { action_space: { mcp_servers: [{ alias: 'notes' }] } })
  const turns = [{ tool_calls: [{ name: 'echo', arguments: { text: 'hello' } }] }, { text: 'done' }]
  const { result, events } = await run(agent, 'go', { models: () => scriptedModel(turns), mcpServers: { notes } })
  expect(result?.output).toBe('done')
  expect(events.find((event) => event.type === 'tool-answered')).toMatchObject({ name: 'echo', content: 'hello' })
})
