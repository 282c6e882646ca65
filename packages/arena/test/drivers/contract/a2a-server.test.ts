import { createA2aServerDriver } from '../../../src/drivers/a2a-server/driver.ts'
import type { Driver } from '../../../src/drivers/driver.ts'
import { createMemoryHttp } from '../../../src/transport/memory-http.ts'
import { textOf } from '../../support/body.ts'
import { describeContract } from './contract.ts'
import { json, parsed } from './json.ts'
import { extended, type Joined, type Rig } from './rig.ts'

const part = (text: string) => ({ kind: 'text', text })

function join(): Joined {
  const http = createMemoryHttp()
  const heard: string[] = []
  let driver: Driver | undefined
  let id = 0
  const post = async (body: string) => {
    const { signal } = new AbortController()
    return textOf(await http.send({ method: 'POST', url: driver?.address?.() ?? '', headers: json, body, signal }))
  }
  return {
    create(context) {
      driver = createA2aServerDriver(context, { kind: 'http', listen: http.listen })
      return driver
    },
    async speak(text) {
      const message = { role: 'user', messageId: 'm', kind: 'message', parts: [part(text)] }
      const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method: 'message/send', params: { message } })
      heard.push(parsed(await post(body)).result.parts[0].text)
    },
    heard: () => heard,
    garbage: async () => void (await post('{')),
  }
}

const rig: Rig = {
  mode: 'a2a_server',
  role: 'server',
  event: 'message/send',
  source: 'request',
  selector: '$.message.parts[0].text',
  state: (say) => ({
    task_responses: [{ content: { kind: 'message', role: 'agent', messageId: 'r', parts: [part(say)] } }],
  }),
  join,
}

describeContract('a2a_server', rig)
describeContract(
  'a2a_server with a signature',
  extended(rig, {
    'x-joust-signature': [
      { key: 'a', of: { name: 'b' } },
      { key: 'c', alg: 'none' },
    ],
    'x-joust-headers': { 'x-a': 'b' },
  }),
)
