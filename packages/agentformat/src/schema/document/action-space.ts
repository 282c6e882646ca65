/** The schemas of tools, MCP servers and sub-agents. */
import type { ValueRecord } from '@joust/source'
import { approval } from './conditions.ts'
import { alias, description, field, filledText, object, text, texts } from './parts.ts'

const localTool = object({ alias, name: field(text, 'The name of the tool on the host.'), description, approval }, [
  'alias',
])

const mcpTool = object({ name: field(filledText, 'The name of the tool.'), approval }, ['name'])
const mcpTools: ValueRecord = { type: 'array', items: { oneOf: [filledText, mcpTool] } }

const mcpServer = object(
  {
    alias,
    server_ref: field(text, 'The name of the server on the host.'),
    description,
    allowed_tools: field(mcpTools, 'The tools that may be called; all of them by default.'),
    approval,
  },
  ['alias'],
)

const memoryScopes: ValueRecord = { type: 'string', enum: ['inherit', 'isolated', 'none'] }

const localAgent = object(
  {
    alias,
    source: field(filledText, 'The file, relative to this one.'),
    source_type: field(text, 'The kind of source; `file` by default.'),
    description,
    approval,
    memory_scope_strategy: field(
      memoryScopes,
      "The sub-agent's memory: shared with its parent (`inherit`), its own (`isolated`) or none.",
    ),
  },
  ['alias', 'source'],
)

const skill = object({ id: field(filledText, 'The id of the skill on its Agent Card.'), approval }, ['id'])
const skills: ValueRecord = { type: 'array', items: { oneOf: [filledText, skill] } }

const remoteAgent = object(
  {
    alias,
    description,
    input_modes: field(texts, 'The content types of its input.'),
    output_modes: field(texts, 'The content types of its output.'),
    allowed_skills: field(skills, 'The skills that may be used; all of them by default.'),
    approval,
  },
  ['alias'],
)

const listOf = (items: ValueRecord): ValueRecord => ({ type: 'array', items })

/** The schema of the action space. */
export const actionSpace: ValueRecord = object({
  local_tools: field(listOf(localTool), 'Tools that the host binds.'),
  mcp_servers: field(listOf(mcpServer), 'MCP servers that the host maps, with their allowed tools.'),
  local_agents: field(listOf(localAgent), 'Agents in files of their own.'),
  remote_agents: field(listOf(remoteAgent), 'Agents on other systems, called over A2A.'),
})
