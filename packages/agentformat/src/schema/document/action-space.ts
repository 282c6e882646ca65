import type { ValueRecord } from '@joust/source'
import { approval } from './conditions.ts'
import { alias, description, field, filledText, object, text, texts } from './parts.ts'

const localTool = object(
  { alias, name: field(text, 'The name by which the host knows the tool.'), description, approval },
  ['alias'],
)

const mcpTool = object({ name: field(filledText, 'The name of the tool.'), approval }, ['name'])
const mcpTools: ValueRecord = { type: 'array', items: { oneOf: [filledText, mcpTool] } }

const mcpServer = object(
  {
    alias,
    server_ref: field(text, 'The name by which the host knows the server.'),
    description,
    allowed_tools: field(mcpTools, 'The tools that may be called; without it, all of them.'),
    approval,
  },
  ['alias'],
)

const memoryScopes: ValueRecord = { type: 'string', enum: ['inherit', 'isolated', 'none'] }

const localAgent = object(
  {
    alias,
    source: field(filledText, 'The file, relative to this one.'),
    source_type: field(text, 'What kind of source it is; a file by default.'),
    description,
    approval,
    memory_scope_strategy: field(memoryScopes, 'Whether the agent shares the memory, has its own, or has none.'),
  },
  ['alias', 'source'],
)

const skill = object({ id: field(filledText, 'The id of the skill on its Agent Card.'), approval }, ['id'])
const skills: ValueRecord = { type: 'array', items: { oneOf: [filledText, skill] } }

const remoteAgent = object(
  {
    alias,
    description,
    input_modes: field(texts, 'The kinds of content that the agent takes.'),
    output_modes: field(texts, 'The kinds of content that the agent gives.'),
    allowed_skills: field(skills, 'The skills that may be asked for; without it, all of them.'),
    approval,
  },
  ['alias'],
)

const listOf = (items: ValueRecord): ValueRecord => ({ type: 'array', items })

/** What the agent may call. */
export const actionSpace: ValueRecord = object({
  local_tools: field(listOf(localTool), 'Tools that the host binds.'),
  mcp_servers: field(listOf(mcpServer), 'MCP servers that the host maps, and which of their tools may be called.'),
  local_agents: field(listOf(localAgent), 'Agents in files of their own.'),
  remote_agents: field(listOf(remoteAgent), 'Agents behind an address.'),
})
