/** Agent frameworks in JavaScript and TypeScript: a row each. A module has many conversations, in `histories` by name. */
import type { AgentForm } from './form.ts'

const exported = String.raw`^export\s+(?:const\s+([\w$]+)(?:\s*:[^=]+)?\s*=|default)\s+`

function made(pattern: string): RegExp {
  return new RegExp(`${exported}${pattern}`, 'gm')
}

const HISTORIES = ['/** The messages of each conversation. */', 'const histories = new Map()']

/** Adds the message of the user to the conversation. */
const MESSAGES = ["const messages = [...(histories.get(conversation) ?? []), { role: 'user', content: prompt }]"]

const AI_SDK = [
  'const result = await caller.generate({ messages, abortSignal: signal })',
  'histories.set(conversation, [...messages, ...result.response.messages])',
  'return result.text',
]

const LANGCHAIN = [
  'const state = await caller.invoke({ messages }, { signal, configurable: { thread_id: conversation } })',
  'histories.set(conversation, state.messages)',
  'return String(state.messages.at(-1).text)',
]

/** One row for each framework. */
export const javascriptForms: readonly AgentForm[] = [
  {
    title: 'AI SDK',
    distributions: ['ai'],
    modules: ['ai'],
    written: made(String.raw`new\s+(?:ToolLoopAgent|Experimental_Agent|Agent)\b`),
    tried: '6.0.326',
    needs: '@ai-sdk/mcp',
    call: { imports: [], after: HISTORIES, lines: ['const caller = agent', ...MESSAGES, ...AI_SDK] },
    served: {
      package: '@ai-sdk/mcp',
      imports: [`import { createMCPClient } from '@ai-sdk/mcp'`],
      after: HISTORIES,
      lines: [
        'let tools = agent.tools ?? {}',
        'for (const { url } of Object.values(mcpServers)) {',
        `  const client = await createMCPClient({ transport: { type: 'http', url } })`,
        '  tools = { ...tools, ...(await client.tools()) }',
        '}',
        'const caller = new agent.constructor({ ...agent.settings, tools })',
        ...MESSAGES,
        ...AI_SDK,
      ],
    },
  },
  {
    title: 'OpenAI Agents',
    distributions: ['@openai/agents'],
    modules: ['@openai/agents'],
    written: made(String.raw`(?:new\s+Agent\b|Agent\.create\b)`),
    tried: '0.20.0',
    call: {
      imports: [`import { MCPServerStreamableHttp, run, setTracingDisabled } from '@openai/agents'`],
      after: ['// Traces of attacks stay here.', 'setTracingDisabled(true)', ...HISTORIES],
      lines: [
        'const servers = [...agent.mcpServers]',
        'for (const [name, { url }] of Object.entries(mcpServers)) {',
        '  const server = new MCPServerStreamableHttp({ name, url })',
        '  await server.connect()',
        '  servers.push(server)',
        '}',
        ...MESSAGES,
        'const result = await run(agent.clone({ mcpServers: servers }), messages, { signal })',
        'histories.set(conversation, result.history)',
        'return String(result.finalOutput)',
      ],
    },
  },
  {
    title: 'LangChain.js',
    distributions: ['langchain'],
    modules: ['langchain'],
    written: made(String.raw`createAgent\b`),
    tried: '1.5.14',
    needs: '@langchain/mcp-adapters',
    call: { imports: [], after: HISTORIES, lines: ['const caller = agent', ...MESSAGES, ...LANGCHAIN] },
    served: {
      package: '@langchain/mcp-adapters',
      imports: [
        `import { MultiServerMCPClient } from '@langchain/mcp-adapters'`,
        `import { createAgent } from 'langchain'`,
      ],
      after: HISTORIES,
      lines: [
        'const names = Object.keys(mcpServers)',
        'const served = names.length === 0 ? [] : await new MultiServerMCPClient({ mcpServers }).getTools()',
        'const caller = createAgent({ ...agent.options, tools: [...(agent.options.tools ?? []), ...served] })',
        ...MESSAGES,
        ...LANGCHAIN,
      ],
    },
  },
  {
    title: 'LangGraph.js',
    distributions: ['@langchain/langgraph'],
    modules: ['@langchain/langgraph'],
    written: made(String.raw`(?:createReactAgent\b|[\w$.\s()'",]*\.compile\()`),
    tried: '1.4.18',
    call: { imports: [], after: HISTORIES, lines: ['const caller = agent', ...MESSAGES, ...LANGCHAIN] },
  },
  {
    title: 'Mastra',
    distributions: ['@mastra/core'],
    modules: ['@mastra/core'],
    written: made(String.raw`new\s+Agent\b`),
    tried: '0',
    call: { imports: [], lines: ['return (await agent.generate(prompt)).text'] },
  },
]
