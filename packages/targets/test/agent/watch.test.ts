/** Poisoned answers that the clients of the agent reject: the run records the rejection. */
import { type Script, scriptedModel } from '@joust/sim'
import { describe, expect, test } from 'vitest'
import type { Target, TargetSession } from '../../../arena/src/model/target.ts'
import { runAttack } from '../../../arena/src/run.ts'
import { agentDocument, agentOf, react } from '../../../arena/test/support/agents.ts'
import { attackFrom } from '../../../arena/test/support/attacks.ts'
import type { Refusal } from '../../../results/src/model/run-facts.ts'
import { agentTarget } from '../../src/agent.ts'

/** Runs an attack against an agent that makes one call; returns the rejected answers. */
async function refusals(document: string, script: Script, inProcess: boolean): Promise<readonly Refusal[]> {
  let session: TargetSession | undefined
  const models = { 'm/m': scriptedModel(script) }
  const agent = await agentOf(agentDocument({ execution_policy: react('m/m') }))
  const plain = agentTarget({ agent, runtime: { models }, inProcess })
  const target: Target = {
    ...plain,
    async start(arena) {
      session = await plain.start(arena)
      return session
    },
  }
  await runAttack(attackFrom(document), { target, limits: { graceMs: 0 } })
  return session?.refusals?.() ?? []
}

const a2a = (task: string) => `
oatf: "0.1"
attack:
  name: test
  execution:
    actors:
      - name: helper
        mode: a2a_server
        phases:
          - name: only
            state:
              agent_card: { name: Helper, description: Helps., version: "1", protocolVersion: "0.3.0", capabilities: {}, skills: [] }
              task_responses:
                - content: ${task}
  indicators:
    - { protocol: a2a, surface: message/send, target: "message.parts[*].text", pattern: { contains: poison } }
`
const mcp = (result: string) => `
oatf: "0.1"
attack:
  name: test
  execution:
    actors:
      - name: files
        mode: mcp_server
        phases:
          - name: only
            state:
              tools:
                - name: count
                  inputSchema: { type: object }
                  outputSchema: { type: object, properties: { n: { type: number } }, required: [n] }
                  responses: [{ content: ${result} }]
  indicators:
    - { protocol: mcp, surface: tools/call, target: arguments, pattern: { contains: poison } }
`
const done = { text: 'done' }
const ask: Script = [{ tool_calls: [{ name: 'helper', arguments: { message: 'hi' } }] }, done]
const count: Script = [{ tool_calls: [{ name: 'count' }] }, done]

describe.each([
  ['over sockets', false],
  ['in memory', true],
])('%s', (_, inProcess) => {
  test.each([
    [
      'a part of an unknown kind',
      '{ status: { state: completed }, artifacts: [{ artifactId: a, parts: [{ kind: poison }] }] }',
    ],
    ['a string as status', '{ kind: task, id: t, contextId: c, status: poison }'],
    ['an unknown state', '{ status: { state: poison } }'],
    ['a string', 'poison'],
  ])('a poisoned A2A answer that the client rejects: %s', async (_, task) => {
    const refused = await refusals(a2a(task), ask, inProcess)
    expect(refused).toEqual([{ actor: 'helper', operation: 'message/send', message: expect.any(String) }])
  })

  test.each([
    ['content of another shape', '{ content: poison }'],
    ['structured content against its schema', '{ content: [], structuredContent: { n: poison } }'],
  ])('a poisoned MCP answer that the client rejects: %s', async (_, result) => {
    const refused = await refusals(mcp(result), count, inProcess)
    expect(refused).toEqual([{ actor: 'files', operation: 'tools/call', message: expect.any(String) }])
  })

  test('accepted answers are not recorded', async () => {
    const part = '{ kind: text, text: poison }'
    const task = `{ status: { state: completed }, artifacts: [{ artifactId: a, parts: [${part}] }] }`
    expect(await refusals(a2a(task), ask, inProcess)).toEqual([])
    const result = '{ content: [{ type: text, text: poison }], structuredContent: { n: 1 } }'
    expect(await refusals(mcp(result), count, inProcess)).toEqual([])
  })
})
