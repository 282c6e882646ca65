/** Agents as MCP tools, whose arguments are the input. */
import type { Agent } from '@joust/agentformat'
import { isRecord, own, type Value, type ValueRecord } from '@joust/source'
import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import type { RunError } from '../model/errors.ts'
import { outputText } from '../model/output-text.ts'
import { wrapSchema } from '../model/wrap-schema.ts'

export interface AgentTool {
  readonly definition: Tool
  readonly agent: Agent
  inputOf(args: ValueRecord): Value
  resultOf(output: Value): CallToolResult
}

export function agentTools(agents: readonly Agent[]): ReadonlyMap<string, AgentTool> {
  const tools = new Map<string, AgentTool>()
  for (const agent of agents) {
    const name = freeName(agent, (taken) => tools.has(taken))
    tools.set(name, agentTool(name, agent))
  }
  return tools
}

export function errorResult({ code, message }: Pick<RunError, 'code' | 'message'>): CallToolResult {
  return { content: [{ type: 'text', text: `${code}: ${message}` }], isError: true }
}

function agentTool(name: string, agent: Agent): AgentTool {
  const { interface: declared, metadata } = agent.document
  const { input, output } = declared
  const bare = own(input, 'type') === 'object'
  const structured = own(output, 'type') === 'object'
  // The document schema guarantees that these are JSON Schemas. MCP requires an object at the root, so any other input
  // becomes the property `input`.
  const inputSchema = (bare ? input : wrapSchema(input, 'input')) as Tool['inputSchema']
  const outputSchema = structured ? { outputSchema: output as NonNullable<Tool['outputSchema']> } : {}
  return {
    agent,
    definition: { name, title: metadata.name, description: metadata.description, inputSchema, ...outputSchema },
    inputOf: (args) => (bare ? args : (own(args, 'input') ?? null)),
    resultOf(value) {
      const content = [{ type: 'text' as const, text: outputText(output, value) }]
      return structured && isRecord(value) ? { content, structuredContent: value } : { content }
    },
  }
}

const LONGEST_NAME = 120

function freeName(agent: Agent, taken: (name: string) => boolean): string {
  const { id } = agent.document.metadata
  const name = [...id].map((letter) => (/^[A-Za-z0-9_.-]$/.test(letter) ? letter : '_')).join('')
  const short = name.slice(0, LONGEST_NAME) || 'agent'
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? short : `${short}-${number}`
    if (!taken(candidate)) return candidate
  }
}
