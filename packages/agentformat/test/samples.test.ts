/** Documents by other authors, if they are next to the repository, with the exact findings for each. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { loadAgent } from '../src/load-agent.ts'

const folder = fileURLToPath(new URL('../../../../shared/agent-format/samples/', import.meta.url))
const absent = !existsSync(folder)
if (absent) console.warn('SKIPPED: the real Agent Format samples are not beside the repository')

/** File to `line:column code path` of every finding. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'agentformat-docs--getting-started': [],
  'awesome-agents--ops-agent': [
    '2:1 schema_violation metadata.version',
    '7:10 schema_violation interface.input',
    '8:11 schema_violation interface.output',
    '13:5 unknown_field execution_policy.config.reasoning_effort',
  ],
  'caseworker--caseworker_assistant': [],
  'demiurge--archon-zero': [],
  'demiurge--changelog-scribe': [],
  'trustabl--acac-static-capture': ['39:1 unknown_field x-trustabl'],
  'trustabl--basic-openai-agent': ['36:1 unknown_field x-trustabl'],
  'trustabl--financial_research_agent': ['32:1 unknown_field x-trustabl'],
  'trustabl--ts-claude-sdk-min': [
    '31:19 empty_server_ref action_space.mcp_servers[0].server_ref',
    '33:22 empty_allow_list action_space.mcp_servers[0].allowed_tools',
    '36:19 empty_server_ref action_space.mcp_servers[1].server_ref',
    '38:22 empty_allow_list action_space.mcp_servers[1].allowed_tools',
    '45:1 unknown_field x-trustabl',
  ],
}

describe.skipIf(absent)('the real samples', () => {
  test('are all in the table', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.agf.yaml'))
    expect(files.map((file) => file.replace('.agf.yaml', '')).sort()).toEqual(Object.keys(expected))
  })

  test.each(Object.entries(expected))('%s', async (name, findings) => {
    const loaded = await loadAgent(`${name}.agf.yaml`, {
      read: async ({ source }) => readFileSync(folder + source, 'utf8'),
    })
    const diagnostics = loaded.ok ? loaded.value.warnings : loaded.error
    expect(diagnostics.map(({ line, column, code, path }) => `${line}:${column} ${code} ${path}`)).toEqual(findings)
    expect(loaded.ok).toBe(name !== 'awesome-agents--ops-agent')
  })
})
