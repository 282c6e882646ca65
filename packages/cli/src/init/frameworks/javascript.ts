/** Agent frameworks in JavaScript and TypeScript, one row each. Each process has one conversation. */
import type { AgentForm } from './form.ts'

const assigned = String.raw`^(?:export\s+)?(?:const\s+([\w$]+)(?:\s*:[^=]+)?\s*=|default)\s+`

function definition(expression: string): RegExp {
  return new RegExp(`${assigned}${expression}`, 'gm')
}

const HISTORY = 'const history = []'
const ASK = `history.push({ role: 'user', content: prompt })`

export const javascriptForms: readonly AgentForm[] = [
  {
    title: 'AI SDK',
    distributions: ['ai'],
    modules: ['ai'],
    written: definition(String.raw`new\s+(?:ToolLoopAgent|Experimental_Agent|Agent)\b`),
    tried: '6.0.326',
    needs: '@ai-sdk/mcp',
    call: {
      imports: [`import * as mcp from '@ai-sdk/mcp'`],
      after: [
        HISTORY,
        '// experimental_createMCPClient is the name before version 1.',
        'const createMCPClient = mcp.createMCPClient ?? mcp.experimental_createMCPClient',
      ],
      lines: [
        'for (const { url } of number === 1 ? Object.values(mcpServers) : []) {',
        `  const client = await createMCPClient({ transport: { type: 'http', url } })`,
        '  agent.settings.tools = { ...agent.tools, ...(await client.tools()) }',
        '}',
        ASK,
        'const { text, response } = await agent.generate({ messages: history, abortSignal: signal })',
        'history.push(...response.messages)',
        'return text',
      ],
    },
  },
  {
    title: 'OpenAI Agents',
    distributions: ['@openai/agents'],
    modules: ['@openai/agents'],
    written: definition(String.raw`(?:new\s+Agent\b|Agent\.create\b)`),
    tried: '0.20.0',
    call: {
      imports: [`import { MCPServerStreamableHttp, run, setTracingDisabled } from '@openai/agents'`],
      after: ['let history = []', '// Attack traces are not exported.', 'setTracingDisabled(true)'],
      lines: [
        'for (const [name, { url }] of number === 1 ? Object.entries(mcpServers) : []) {',
        '  const server = new MCPServerStreamableHttp({ name, url })',
        '  await server.connect()',
        '  agent.mcpServers.push(server)',
        '}',
        ASK,
        'const result = await run(agent, history, { signal })',
        'history = result.history',
        'return String(result.finalOutput)',
      ],
    },
  },
  {
    title: 'LangChain.js',
    distributions: ['langchain'],
    modules: ['langchain'],
    written: definition(String.raw`createAgent\b`),
    tried: '1.5.14',
    needs: '@langchain/mcp-adapters',
    call: {
      imports: [
        `import { MultiServerMCPClient } from '@langchain/mcp-adapters'`,
        `import { createAgent } from 'langchain'`,
      ],
      after: ['let history = []', 'let served'],
      lines: [
        '// The tools of an agent are fixed, so a new one is created with the MCP tools.',
        'if (served === undefined) {',
        '  const tools = await new MultiServerMCPClient({ mcpServers }).getTools()',
        '  served = createAgent({ ...agent.options, tools: [...(agent.options.tools ?? []), ...tools] })',
        '}',
        ASK,
        'const state = await served.invoke({ messages: history }, { signal })',
        'history = state.messages',
        'return history.at(-1).text',
      ],
    },
  },
  {
    title: 'Mastra',
    distributions: ['@mastra/core'],
    modules: ['@mastra/core'],
    written: definition(String.raw`new\s+Agent\b`),
    tried: '0.24.9',
    needs: '@mastra/mcp',
    call: {
      imports: [`import { MCPClient } from '@mastra/mcp'`],
      after: [HISTORY, 'let client'],
      lines: [
        'const servers = Object.entries(mcpServers).map(([name, { url }]) => [name, { url: new URL(url) }])',
        'client ??= new MCPClient({ servers: Object.fromEntries(servers) })',
        ASK,
        'const toolsets = await (client.listToolsets ?? client.getToolsets).call(client)',
        'const { text } = await agent.generate(history, { toolsets, maxSteps: 10, abortSignal: signal })',
        `history.push({ role: 'assistant', content: text })`,
        'return text',
      ],
    },
  },
  {
    title: 'VoltAgent',
    distributions: ['@voltagent/core'],
    modules: ['@voltagent/core'],
    written: definition(String.raw`new\s+Agent\b`),
    tried: '2.10.0',
    call: {
      imports: [`import { MCPConfiguration } from '@voltagent/core'`],
      lines: [
        'if (number === 1) {',
        `  const servers = Object.entries(mcpServers).map(([name, { url }]) => [name, { type: 'streamable-http', url }])`,
        '  agent.addTools(await new MCPConfiguration({ servers: Object.fromEntries(servers) }).getTools())',
        '}',
        '// The memory of the agent keeps the conversation.',
        `const ids = { userId: 'joust', conversationId: 'joust' }`,
        'const { text } = await agent.generateText(prompt, { ...ids, abortSignal: signal })',
        'return text',
      ],
    },
  },
  {
    title: 'Genkit',
    distributions: ['genkit'],
    modules: ['genkit'],
    written: definition(String.raw`\w+\.definePrompt\b`),
    tried: '1.42.0',
    needs: '@genkit-ai/mcp',
    call: {
      imports: [`import { createMcpHost } from '@genkit-ai/mcp'`, `import { genkit } from 'genkit'`],
      after: ['let messages = []', 'let tools'],
      lines: [
        `tools ??= await createMcpHost({ name: 'joust', mcpServers }).getActiveTools(genkit({}))`,
        `messages.push({ role: 'user', content: [{ text: prompt }] })`,
        'const response = await agent({}, { messages, tools, abortSignal: signal })',
        `messages = response.messages.filter(({ role }) => role !== 'system')`,
        'return response.text',
      ],
    },
  },
]
