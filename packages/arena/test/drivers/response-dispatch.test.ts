/** §7.0.1: all lists of answers are searched in order, and the first entry that matches answers. */
import type { Value } from '@joust/source'
import { expect, test } from 'vitest'
import * as a2a from '../support/a2a.ts'
import * as mcpServer from '../support/mcp-server.ts'
import * as agUi from './ag-ui-client/support.ts'
import * as mcpClient from './mcp-client/support.ts'

/** For each list: what its entries answer to a request that contains a word. */
const lists: readonly (readonly [string, (entries: Value, word: string) => Promise<Value>, string])[] = [
  [
    'responses of a tool',
    async (responses, word) => {
      const { ask } = await mcpServer.openServer({ tools: [{ name: 't', responses }] })
      return ask('tools/call', { name: 't', arguments: { word } })
    },
    'arguments.word',
  ],
  [
    'responses of a prompt',
    async (responses, word) => {
      const { ask } = await mcpServer.openServer({ prompts: [{ name: 'p', responses }] })
      return ask('prompts/get', { name: 'p', arguments: { word } })
    },
    'arguments.word',
  ],
  ['sampling_responses', (entries, word) => asked('sampling', 'createMessage', entries, word), 'word'],
  ['elicitation_responses', (entries, word) => asked('elicitation', 'create', entries, word), 'word'],
  [
    'task_responses',
    async (task_responses, word) => {
      const { call } = await a2a.openServer({ task_responses })
      return (await call('message/send', a2a.say('hello', { contextId: word }))).result
    },
    'message.contextId',
  ],
  [
    'tool_responses',
    async (tool_responses, word) => {
      const calling = agUi.streams(agUi.runOf(...agUi.call('c', word)), agUi.runOf())
      const { perform, contents } = await agUi.play({ run_agent_input: agUi.input, tool_responses }, calling)
      await perform()
      return contents('tool_call_result')
    },
    'toolCallName',
  ],
]

async function asked(topic: string, verb: string, entries: Value, word: string): Promise<Value> {
  const rig = mcpClient.overPipe({ [`${topic}_responses`]: entries })
  await rig.performHandshake()
  await rig.say({ jsonrpc: '2.0', id: 1, method: `${topic}/${verb}`, params: { mode: 'form', message: 'm', word } })
  const { result } = await rig.hear()
  await rig.driver.close()
  return result ?? null
}

test.each(lists)(
  '%s: the first entry that fits, and the one without a condition when none does',
  async (_, ask, path) => {
    const entries = [
      { content: { mark: 'otherwise' } },
      { when: { [path]: 'other' }, content: { mark: 'another' } },
      { when: { [path]: { contains: 'wor' } }, content: { mark: 'first' } },
      { when: { [path]: 'word' }, content: { mark: 'second' } },
    ]
    const marks = async (word: string) => JSON.stringify(await ask(entries, word)).match(/"mark":"\w+"/g)
    expect(await marks('word')).toEqual(['"mark":"first"'])
    expect(await marks('else')).toEqual(['"mark":"otherwise"'])
  },
)
