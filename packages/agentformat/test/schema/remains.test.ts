import { describe, expect, test } from 'vitest'
import { loadAgent, standardPolicyIds } from '../../src/index.ts'
import { agentText } from '../rules/harness.ts'
import { edited, textOf, validDocuments } from '../valid-documents.ts'
import { pathsIn } from './document/mutations.ts'

async function findings(text: string): Promise<string[]> {
  const read = async ({ from }: { readonly from?: string }) => (from === undefined ? text : agentText({}))
  const loaded = await loadAgent('main.agf.yaml', { read })
  return (loaded.ok ? loaded.value.warnings : loaded.error).map(({ code, path }) => `${code} ${path}`)
}

test('rules check the valid parts of an invalid document', async () => {
  const text = `
schema_version: 1.0.0
metadata: { id: Team!, name: Team, version: 1.0 }
interface: { input: { type: object, properties: { q: { type: string } } }, output: string }
constraints: { limits: { max_llm_calls: many, max_delegation_depth: 0 } }
execution_policy:
  id: agf.sequential
  config:
    steps:
      - { agent: a, input_mapping: { q: parent.input.q, r: parent.query } }
      - { agent: unknown }
      - { agent: "" }
    output_from: { strategy: all }
action_space:
  local_tools: [{ alias: t, approval: { condition: { args_match: { x: { pattern: "(" } } } } }]
  local_agents:
    - { alias: a, source: a.agf.yaml }
    - { alias: a, source: a.agf.yaml, approval: yes }
    - { alias: b-b, source: /b.agf.yaml }
    - { alias: c, source: "" }
`
  expect(await findings(text)).toEqual([
    'schema_violation metadata.description',
    'schema_violation metadata.id',
    'schema_violation metadata.version',
    'schema_violation interface.output',
    'schema_violation constraints.limits.max_llm_calls',
    'depth_impossible constraints.limits.max_delegation_depth',
    'undeclared_field execution_policy.config.steps[0].input_mapping.q',
    'undeclared_field execution_policy.config.steps[0].input_mapping.r',
    'invalid_path_expression execution_policy.config.steps[0].input_mapping.r',
    'unknown_agent execution_policy.config.steps[1].agent',
    'schema_violation execution_policy.config.steps[2].agent',
    'schema_violation execution_policy.config.output_from.strategy',
    'invalid_pattern action_space.local_tools[0].approval.condition.args_match.x.pattern',
    'duplicate_alias action_space.local_agents[1].alias',
    'schema_violation action_space.local_agents[1].approval',
    'schema_violation action_space.local_agents[2].alias',
    'unresolvable_source action_space.local_agents[2].source',
    'schema_violation action_space.local_agents[3].source',
  ])
})

test('the sub-agents of an invalid document are checked too, and cycles are found', async () => {
  const texts: { readonly [source: string]: string } = {
    main: agentText({ space: '{ local_agents: [{ alias: a, source: sub }] }' }).replace('schema_version', 'version'),
    sub: agentText({
      space: '{ local_tools: [{ alias: t }, { alias: t }], local_agents: [{ alias: up, source: main }] }',
    }),
  }
  const loaded = await loadAgent('main', { read: async ({ source }) => texts[source] ?? '' })
  const errors = loaded.ok ? [] : loaded.error.filter(({ severity }) => severity === 'error')
  expect(errors.map(({ file, code }) => `${file} ${code}`)).toEqual([
    'main schema_violation',
    'sub duplicate_alias',
    'sub agent_cycle',
  ])
})

describe.each(standardPolicyIds)('one wrong place in %s', (id) => {
  test('causes no finding elsewhere', async () => {
    const document = validDocuments[id]
    const before = new Set(await findings(textOf(document)))
    for (const path of pathsIn(document)) {
      for (const wrong of [[[1]], undefined]) {
        const lines = await findings(textOf(edited(document, path, wrong)))
        if (!lines.some((line) => line.startsWith('schema_violation'))) continue
        expect(lines.filter((line) => !line.startsWith('schema_violation') && !before.has(line))).toEqual([])
      }
    }
  })
})
