/** Agent frameworks in JavaScript and TypeScript: a row each. */
import type { AgentForm } from './form.ts'

const exported = String.raw`^export\s+(?:const\s+([\w$]+)(?:\s*:[^=]+)?\s*=|default)\s+`

function form(title: string, name: string, made: string, lines: readonly string[]): AgentForm {
  const written = new RegExp(`${exported}${made}`, 'gm')
  return { title, distributions: [name], modules: [name], written, call: { imports: [], lines } }
}

const TOOL_LOOP = 'return (await agent.generate({ prompt, abortSignal: signal })).text'
const LANGCHAIN = [
  `const { messages } = await agent.invoke({ messages: [{ role: 'user', content: prompt }] }, { signal })`,
  'return String(messages.at(-1).content)',
]

/** One row for each framework. */
export const javascriptForms: readonly AgentForm[] = [
  {
    ...form('AI SDK', 'ai', String.raw`new\s+(?:ToolLoopAgent|Experimental_Agent|Agent)\b`, [TOOL_LOOP]),
    served: {
      package: '@ai-sdk/mcp',
      imports: [`import { createMCPClient } from '@ai-sdk/mcp'`],
      lines: [
        'for (const { url } of Object.values(mcpServers)) {',
        `  const client = await createMCPClient({ transport: { type: 'http', url } })`,
        '  agent.settings.tools = { ...agent.tools, ...(await client.tools()) }',
        '}',
        TOOL_LOOP,
      ],
    },
  },
  {
    ...form('OpenAI Agents', '@openai/agents', String.raw`(?:new\s+Agent\b|Agent\.create\b)`, []),
    call: {
      imports: [`import { MCPServerStreamableHttp, run } from '@openai/agents'`],
      lines: [
        'for (const [name, { url }] of Object.entries(mcpServers)) {',
        '  const server = new MCPServerStreamableHttp({ name, url })',
        '  await server.connect()',
        '  agent.mcpServers.push(server)',
        '}',
        'return String((await run(agent, prompt, { signal })).finalOutput)',
      ],
    },
  },
  form('LangChain.js', 'langchain', String.raw`createAgent\b`, LANGCHAIN),
  form('LangGraph.js', '@langchain/langgraph', String.raw`(?:createReactAgent\b|[\w$.\s()'",]*\.compile\()`, LANGCHAIN),
  form('Mastra', '@mastra/core', String.raw`new\s+Agent\b`, ['return (await agent.generate(prompt)).text']),
]
