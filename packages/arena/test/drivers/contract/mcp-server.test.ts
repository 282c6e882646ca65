import type { Driver } from '../../../src/drivers/driver.ts'
import { createMcpServerDriver } from '../../../src/drivers/mcp-server/driver.ts'
import { createMemoryHttp } from '../../../src/transport/memory-http.ts'
import { createMemoryPipe } from '../../../src/transport/memory-pipe.ts'
import { textOf } from '../../support/body.ts'
import { describeContract } from './contract.ts'
import { json, parsed } from './json.ts'
import { extended, type Joined, type Rig } from './rig.ts'

const rig = (join: () => Joined): Rig => ({
  mode: 'mcp_server',
  role: 'server',
  event: 'tools/call',
  source: 'request',
  selector: '$.arguments.text',
  state: (say) => ({ tools: [{ name: 'echo', responses: [{ content: { content: [{ type: 'text', text: say }] } }] }] }),
  join,
})
const call = (id: number, text: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: { text } } })

function overHttp(): Joined {
  const http = createMemoryHttp()
  const heard: string[] = []
  let driver: Driver | undefined
  let id = 0
  const post = async (body: string) => {
    const signal = new AbortController().signal
    const headers = { ...json, accept: 'application/json, text/event-stream' }
    return textOf(await http.send({ method: 'POST', url: driver?.address?.() ?? '', headers, body, signal }))
  }
  return {
    create(context) {
      driver = createMcpServerDriver(context, { kind: 'http', listen: http.listen })
      return driver
    },
    async speak(text) {
      heard.push(parsed(await post(call(++id, text))).result.content[0].text)
    },
    heard: () => heard,
    garbage: async () => void (await post('{"jsonrpc": nonsense')),
  }
}

function overPipe(): Joined {
  const [ours, theirs] = createMemoryPipe()
  const heard: string[] = []
  const waiting = new Map<number, () => void>()
  let id = 0
  const listen = async () => {
    for await (const { text } of theirs.lines) {
      const message = parsed(text)
      if (message.result !== undefined) heard.push(message.result.content[0].text)
      waiting.get(message.id)?.()
    }
  }
  void listen()
  return {
    create: (context) => createMcpServerDriver(context, { kind: 'pipe', pipe: ours }),
    async speak(text) {
      if (theirs.ending() !== undefined) return
      const mine = ++id
      const answered = new Promise<void>((resolve) => waiting.set(mine, resolve))
      await theirs.send(call(mine, text))
      await answered
    },
    heard: () => heard,
    garbage: () => theirs.send('no json at all'),
  }
}

describeContract('mcp_server over HTTP', rig(overHttp))
describeContract('mcp_server over a pipe', rig(overPipe))

const page = { path: '/page', content: { status: 302, headers: { location: '{{request.query.to}}' }, body: [1] } }
const keys = { 'x-joust-headers': { 'x-a': 'b', 'content-type': null }, 'x-joust-pages': [page] }
describeContract('mcp_server with headers and pages', extended(rig(overHttp), keys))
