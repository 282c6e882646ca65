import { createMcpClientDriver } from '../../../src/drivers/mcp-client/driver.ts'
import { createMemoryHttp } from '../../../src/transport/memory-http.ts'
import { createMemoryPipe } from '../../../src/transport/memory-pipe.ts'
import { describeContract } from './contract.ts'
import { json, parsed } from './json.ts'
import { extended, type Joined, type Rig } from './rig.ts'

const rig = (join: () => Joined): Rig => ({
  mode: 'mcp_client',
  role: 'client',
  event: 'tools/call',
  source: 'response',
  selector: '$.content[0].text',
  state: (say) => ({ actions: [{ method: 'tools/call', params: { name: 'echo', arguments: { text: say } } }] }),
  join,
})

/** The server's side: its answer to a body; undefined if there is none. */
function createPeer() {
  const heard: string[] = []
  const answers: (string | undefined)[] = []
  const answer = (body: string): string | undefined => {
    const { id, method, params } = parsed(body)
    if (id === undefined) return undefined
    if (method === 'initialize') {
      const result = {
        protocolVersion: params.protocolVersion,
        capabilities: {},
        serverInfo: { name: 'peer', version: '1' },
      }
      return JSON.stringify({ jsonrpc: '2.0', id, result })
    }
    heard.push(params.arguments.text)
    const text = answers.shift()
    if (text === undefined) return 'no json at all'
    return JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })
  }
  return {
    answer,
    heard: () => heard,
    speak: async (text: string) => void answers.push(text),
    garbage: async () => void answers.push(undefined),
  }
}

function overHttp(): Joined {
  const http = createMemoryHttp()
  const peer = createPeer()
  const listening = http.listen(async ({ method, body }, reply) => {
    if (method !== 'POST') {
      reply.head(405)
      return reply.end()
    }
    const text = peer.answer(new TextDecoder().decode(body))
    reply.head(text === undefined ? 202 : 200, json)
    await reply.end(text)
  })
  return {
    create: (context) =>
      createMcpClientDriver(context, {
        kind: 'http',
        url: `${http.origin}/mcp`,
        send: async (call) => {
          await listening
          return http.send(call)
        },
      }),
    ...peer,
  }
}

function overPipe(): Joined {
  const [ours, theirs] = createMemoryPipe()
  const peer = createPeer()
  const serve = async () => {
    for await (const { text } of theirs.lines) {
      const answer = peer.answer(text)
      if (answer !== undefined) await theirs.send(answer)
    }
  }
  void serve()
  return { create: (context) => createMcpClientDriver(context, { kind: 'pipe', open: async () => ours }), ...peer }
}

describeContract('mcp_client over HTTP', rig(overHttp))
describeContract('mcp_client over a pipe', rig(overPipe))

describeContract(
  'mcp_client with headers',
  extended(rig(overHttp), { 'x-joust-headers': { 'x-a': 'b', accept: null } }),
)
