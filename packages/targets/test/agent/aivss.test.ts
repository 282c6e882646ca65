import { loadAgent } from '@joust/agentformat'
import { expect, test } from 'vitest'
import { aivssProfile } from '../../src/agent/aivss.ts'

const policy = '{ id: agf.react, config: { model: sim/cautious, instructions: Help. } }'

async function profileOf(parts: { annotations?: string; rest?: string; policy?: string }) {
  const text = `
schema_version: 1.0.0
metadata: { id: a, name: A, version: "1", description: D, annotations: ${parts.annotations ?? '{}'} }
interface: { input: { type: string }, output: { type: string } }
execution_policy: ${parts.policy ?? policy}
${parts.rest ?? ''}`
  const helper = text.replace('id: a,', 'id: b,').replace(/action_space:.*/s, '')
  const loaded = await loadAgent('a', { read: async ({ source }) => (source === 'a' ? text : helper) })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
  return aivssProfile(loaded.value.agent)
}

const space = (text: string) => `action_space: ${text}`
const none = { autonomy: 0, tools: 0, language: 1, persistence: 0, multi_agent: 0 }

test.each([
  ['no actions', '', none],
  ['a server without a list of tools', space('{ mcp_servers: [{ alias: s }] }'), { ...none, autonomy: 1, tools: 1 }],
  [
    'tools of which one needs approval',
    space('{ mcp_servers: [{ alias: s, allowed_tools: [read, { name: pay, approval: true }] }] }'),
    { ...none, autonomy: 0.5, tools: 0.5 },
  ],
  [
    'a tool exempt from the approval of its server',
    space('{ mcp_servers: [{ alias: s, approval: true, allowed_tools: [pay, { name: read, approval: false }] }] }'),
    { ...none, autonomy: 0.5, tools: 0.5 },
  ],
  ['approval for every tool', space('{ local_tools: [{ alias: t, approval: true }] }'), { ...none, tools: 0.5 }],
  [
    'approval for some calls',
    space('{ local_tools: [{ alias: t, approval: { condition: { args_match: { a: 1 } } } }] }'),
    { ...none, autonomy: 0.5, tools: 0.5 },
  ],
  ['a remote agent', space('{ remote_agents: [{ alias: r }] }'), { ...none, autonomy: 1, multi_agent: 1 }],
  ['a sub-agent', space('{ local_agents: [{ alias: b, source: b }] }'), { ...none, multi_agent: 0.5 }],
  ['required memory', 'memory: { required: true }', { ...none, persistence: 1 }],
  ['optional memory', 'memory: {}', { ...none, persistence: 0.5 }],
])('%s', async (_, rest, factors) => {
  expect(await profileOf({ rest })).toEqual({ profile: { factors }, problems: [] })
})

test('annotations take precedence, and wrong ones are named', async () => {
  const annotations = '{ aivss.autonomy: "0.5", aivss.identity: "1.0", aivss.mitigation: strong, team: harbour }'
  expect(await profileOf({ annotations })).toEqual({
    profile: { factors: { ...none, autonomy: 0.5, identity: 1 }, mitigation: 'strong' },
    problems: [],
  })
  const wrong = '{ aivss.autonomy: "0.7", aivss.opacty: "1", aivss.mitigation: total }'
  expect(await profileOf({ annotations: wrong })).toEqual({
    profile: { factors: none },
    problems: [
      'aivss.autonomy: expected "0", "0.5" or "1", got "0.7"',
      expect.stringContaining('unknown annotation aivss.opacty; available: autonomy, tools,'),
      'aivss.mitigation: expected one of none, partial, strong, got "total"',
    ],
  })
})
