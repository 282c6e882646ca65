import type { ValueRecord } from '@joust/source'
import { approval } from './conditions.ts'
import { alias, filledText, object, text, texts } from './parts.ts'

const localTool = object({ alias, name: text, description: text, approval }, ['alias'])

const mcpToolRef: ValueRecord = { oneOf: [filledText, object({ name: filledText, approval }, ['name'])] }

const mcpServer = object(
  {
    alias,
    server_ref: text,
    description: text,
    allowed_tools: { type: 'array', items: mcpToolRef },
    approval,
  },
  ['alias'],
)

const localAgent = object(
  {
    alias,
    source: filledText,
    source_type: text,
    description: text,
    approval,
    memory_scope_strategy: { type: 'string', enum: ['inherit', 'isolated', 'none'] },
  },
  ['alias', 'source'],
)

const skillRef: ValueRecord = { oneOf: [filledText, object({ id: filledText, approval }, ['id'])] }

const remoteAgent = object(
  {
    alias,
    description: text,
    input_modes: texts,
    output_modes: texts,
    allowed_skills: { type: 'array', items: skillRef },
    approval,
  },
  ['alias'],
)

/** What the agent may call. */
export const actionSpace: ValueRecord = object({
  local_tools: { type: 'array', items: localTool },
  mcp_servers: { type: 'array', items: mcpServer },
  local_agents: { type: 'array', items: localAgent },
  remote_agents: { type: 'array', items: remoteAgent },
})
