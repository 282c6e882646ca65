import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createInMemory } from '../../src/memory/memory.ts'
import { RunFailure } from '../../src/model/errors.ts'
import { serveA2a } from '../../src/serve/a2a.ts'
import { serveAgUi } from '../../src/serve/ag-ui.ts'
import { serveMcp } from '../../src/serve/mcp.ts'
import { serveMcpStdio } from '../../src/serve/mcp-stdio.ts'
import { leaf, makeAgent } from '../support/agents.ts'
import { react, scripts } from '../support/react.ts'
import { useHost } from '../support/serve.ts'

const { host, closing } = useHost()
const broken = makeAgent({
  id: 'broken',
  policy: { id: 'agf.react', config: { instructions: 'Do.', model: 'sim/credulous' } },
  action_space: { local_tools: [{ alias: 'shell', description: 'Runs.' }] },
})
const forgetful = leaf(() => '', { memory: { required: true } })
const good = leaf(() => '')

const servers = [
  ['AG-UI', serveAgUi],
  ['A2A', serveA2a],
  ['MCP', serveMcp],
] as const

async function refusal(starting: Promise<{ close(): Promise<void> }>) {
  const outcome = await starting.then(closing, (thrown: unknown) => thrown)
  return outcome instanceof RunFailure ? outcome.error : outcome
}

describe.each(servers)('a server for %s', (_, start) => {
  it('does not start if runs would fail', async () => {
    const error = await refusal(start(host().runtime, broken))
    expect(error).toMatchObject({ code: 'unbound_tool', message: 'broken: local tool shell is not bound' })
  })

  it('starts without the check; runs then report missing servers', async () => {
    const { url } = closing(await start(host().runtime, broken, { prepare: false }))
    expect(url).toMatch(/^http:/)
  })

  it('starts before the MCP server of the agent; each run connects or fails', async () => {
    let isUp = false
    const connect = async () => {
      if (!isUp) throw new Error('refused')
      return {
        listTools: async () => [],
        callTool: async () => ({ content: '', isError: false }),
        close: async () => {},
      }
    }
    const models = scripts({ m: [{ text: 'Here.' }] })
    const { runtime } = host({ models, mcpServers: { files: { connect } } })
    const bound = react('m', { input: { type: 'string' }, action_space: { mcp_servers: [{ alias: 'files' }] } })
    expect(closing(await start(runtime, bound)).url).toMatch(/^http:/)
    expect(await runtime.run(bound, 'go')).toMatchObject({
      error: { code: 'unmapped_server', message: 'm: MCP server files is unreachable: refused' },
    })
    isUp = true
    expect(await runtime.run(bound, 'go')).toMatchObject({ value: { output: 'Here.' } })
  })

  it('uses the memory scope of the options', async () => {
    expect(await refusal(start(host({ memory: createInMemory() }).runtime, forgetful))).toMatchObject({
      code: 'memory_required',
    })
    const { url } = closing(await start(host({ memory: createInMemory() }).runtime, forgetful, { memoryScope: 'us' }))
    expect(url).toMatch(/^http:/)
  })

  it.each([-1, 65_536, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('rejects the port %d', async (port) => {
    const error = await refusal(start(host().runtime, good, { port }))
    expect(error).toMatchObject({
      code: 'config_invalid',
      message: `port must be an integer from 0 to 65535, not ${port}`,
    })
  })

  it('does not start with a closed runtime', async () => {
    const { runtime } = host()
    await runtime.close()
    expect(await refusal(start(runtime, good))).toMatchObject({ code: 'cancelled' })
  })
})

it('serves no tools over MCP if one agent cannot run', async () => {
  const streams = { input: new PassThrough(), output: new PassThrough() }
  const { runtime } = host()
  expect(await refusal(serveMcp(runtime, [good, broken]))).toMatchObject({ code: 'unbound_tool' })
  expect(await refusal(serveMcpStdio(runtime, [good, broken], streams))).toMatchObject({ code: 'unbound_tool' })
})
