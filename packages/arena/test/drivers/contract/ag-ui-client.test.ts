import { createAgUiClientDriver } from '../../../src/drivers/ag-ui-client/driver.ts'
import { createMemoryHttp } from '../../../src/transport/memory-http.ts'
import { describeContract } from './contract.ts'
import { parsed } from './json.ts'
import { extended, type Joined, type Rig } from './rig.ts'

function join(): Joined {
  const http = createMemoryHttp()
  const heard: string[] = []
  const answers: (string | undefined)[] = []
  const listening = http.listen(async ({ body }, reply) => {
    const { threadId, runId, messages } = parsed(body)
    heard.push(messages.at(-1).content)
    const text = answers.shift()
    reply.head(200, { 'content-type': 'text/event-stream' })
    const say = (event: object) => reply.write(`data: ${JSON.stringify(event)}\n\n`)
    await say({ type: 'RUN_STARTED', threadId, runId })
    if (text === undefined) await reply.write('data: no json at all\n\n')
    else await say({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: text })
    await say({ type: 'RUN_FINISHED', threadId, runId })
    await reply.end()
  })
  return {
    create: (context) =>
      createAgUiClientDriver(context, {
        kind: 'http',
        url: `${http.origin}/`,
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
  mode: 'ag_ui_client',
  role: 'client',
  event: 'text_message_content',
  source: 'response',
  selector: '$.delta',
  state: (say) => ({
    run_agent_input: { threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content: say }] },
  }),
  join,
}

describeContract('ag_ui_client', rig)
describeContract(
  'ag_ui_client with resume',
  extended(rig, {
    'x-joust-resume': [{ when: { reason: 'never' }, content: { payload: {} } }],
    'x-joust-headers': { 'x-a': 'b' },
  }),
)
