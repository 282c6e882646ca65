/** Document schemas of tools, MCP servers and sub-agents. */
import type { ValueRecord } from '@joust/source'
import { approval } from './conditions.ts'
import { alias, description, field, filledText, object, text, texts } from './parts.ts'

const localTool = object({ alias, name: field(text, 'The tool name on the host.'), description, approval }, ['alias'])

const mcpTool = object({ name: field(filledText, 'The tool name.'), approval }, ['name'])
const mcpTools: ValueRecord = { type: 'array', items: { oneOf: [filledText, mcpTool] } }

const mcpServer = object(
  {
    alias,
    server_ref: field(text, 'The server name on the host.'),
    description,
    allowed_tools: field(mcpTools, 'Tools that may be called; all by default.'),
    approval,
  },
  ['alias'],
)

const memoryScopes: ValueRecord = { type: 'string', enum: ['inherit', 'isolated', 'none'] }

const localAgent = object(
  {
    alias,
    source: field(filledText, 'The agent file, relative to this file.'),
    source_type: field(text, 'The source type; `file` by default.'),
    description,
    approval,
    memory_scope_strategy: field(
      memoryScopes,
      "The sub-agent's memory: shared with its parent (`inherit`), its own (`isolated`) or none (`none`).",
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
    input_modes: field(texts, 'Content types that the skill accepts.'),
    output_modes: field(texts, 'Content types that the skill returns.'),
    allowed_skills: field(skills, 'Skills that may be used; all by default.'),
    approval,
  },
  ['alias'],
)

const listOf = (items: ValueRecord): ValueRecord => ({ type: 'array', items })

export const actionSpace: ValueRecord = object({
  local_tools: field(listOf(localTool), 'Tools that the host binds.'),
  mcp_servers: field(listOf(mcpServer), 'MCP servers, resolved by the host, with their allowed tools.'),
  local_agents: field(listOf(localAgent), 'Sub-agents in other files.'),
  remote_agents: field(listOf(remoteAgent), 'Agents on other systems, called over A2A.'),
})
