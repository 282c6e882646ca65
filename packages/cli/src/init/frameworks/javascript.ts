/** Agent frameworks in JavaScript and TypeScript: a row each. A process has one conversation. */
import type { AgentForm } from './form.ts'

const assigned = String.raw`^(?:export\s+)?(?:const\s+([\w$]+)(?:\s*:[^=]+)?\s*=|default)\s+`

/** Matches the definition of an object that the expression creates. */
function made(expression: string): RegExp {
  return new RegExp(`${assigned}${expression}`, 'gm')
}

const HISTORY = 'const history = []'
const ASK = `history.push({ role: 'user', content: prompt })`

/** One row for each framework. */
export const javascriptForms: readonly AgentForm[] = [
  {
    title: 'AI SDK',
    distributions: ['ai'],
    modules: ['ai'],
    written: made(String.raw`new\s+(?:ToolLoopAgent|Experimental_Agent|Agent)\b`),
    tried: '6.0.326',
    needs: '@ai-sdk/mcp',
    call: {
      imports: [`import { createMCPClient } from '@ai-sdk/mcp'`],
      after: [HISTORY],
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
    written: made(String.raw`(?:new\s+Agent\b|Agent\.create\b)`),
    tried: '0.20.0',
    call: {
      imports: [`import { MCPServerStreamableHttp, run, setTracingDisabled } from '@openai/agents'`],
      after: ['let history = []', '// Traces of attacks stay here.', 'setTracingDisabled(true)'],
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
]
