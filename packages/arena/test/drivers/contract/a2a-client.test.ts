import { createA2aClientDriver } from '../../../src/drivers/a2a-client/driver.ts'
import { createMemoryHttp } from '../../../src/transport/memory-http.ts'
import { describeContract } from './contract.ts'
import { json, parsed } from './json.ts'
import { extended, type Joined, type Rig } from './rig.ts'

const part = (text: string) => ({ kind: 'text', text })

function join(): Joined {
  const http = createMemoryHttp()
  const heard: string[] = []
  const answers: (string | undefined)[] = []
  const listening = http.listen(async ({ body }, reply) => {
    const { id, params } = parsed(body)
    heard.push(params.message.parts[0].text)
    const text = answers.shift()
    const result = { kind: 'message', role: 'agent', messageId: 'r', parts: [part(text ?? '')] }
    reply.head(200, json)
    await reply.end(text === undefined ? 'no json at all' : JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  return {
    create: (context) =>
      createA2aClientDriver(context, {
        kind: 'http',
        url: `${http.origin}/rpc`,
        send: async (call) => {
          await listening
          return http.send(call)
        },
      }),
    speak: async (text) => void answers.push(text),
    heard: () => heard,
    garbage: async () => void answers.push(undefined),
  }
}

const rig: Rig = {
  mode: 'a2a_client',
  role: 'client',
  event: 'message/send',
  source: 'response',
  selector: '$.parts[0].text',
  state: (say) => ({
    actions: [{ method: 'message/send', params: { message: { role: 'user', messageId: 'm', parts: [part(say)] } } }],
  }),
  join,
}

describeContract('a2a_client', rig)
describeContract('a2a_client with headers', extended(rig, { 'x-joust-headers': { 'x-a': 'b', accept: null } }))
