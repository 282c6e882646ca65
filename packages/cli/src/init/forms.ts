/** Agent frameworks: a row each with the pattern that detects an agent and the code that calls it. */

/** A framework's way of defining agents. */
export interface AgentForm {
  /** The package that the module imports. */
  readonly package: string
  /** Matches the definition of an agent and its name; a default export has none. */
  readonly written: RegExp
  /** Calls `agent`. */
  readonly call: AgentCall
  /** Calls it with the MCP servers of the attack, if an additional package supports that. */
  readonly served?: AgentCall & { readonly package: string }
}

/** Lines of a wrapper: the agent is `agent`, the user's text is `prompt`. */
interface AgentCall {
  readonly imports: readonly string[]
  readonly lines: readonly string[]
}

const exported = String.raw`^export\s+(?:const\s+([\w$]+)(?:\s*:[^=]+)?\s*=|default)\s+`

function form(name: string, made: string, lines: readonly string[], imports: readonly string[] = []) {
  return { package: name, written: new RegExp(`${exported}${made}`, 'gm'), call: { imports, lines } }
}

const TOOL_LOOP = 'return (await agent.generate({ prompt, abortSignal: signal })).text'
const LANGCHAIN = [
  `const { messages } = await agent.invoke({ messages: [{ role: 'user', content: prompt }] }, { signal })`,
  'return String(messages.at(-1).content)',
]

/** JavaScript and TypeScript. */
export const javascriptForms: readonly AgentForm[] = [
  {
    ...form('ai', String.raw`new\s+(?:ToolLoopAgent|Experimental_Agent|Agent)\b`, [TOOL_LOOP]),
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
    ...form('@openai/agents', String.raw`(?:new\s+Agent\b|Agent\.create\b)`, []),
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
  form('langchain', String.raw`createAgent\b`, LANGCHAIN),
  form('@langchain/langgraph', String.raw`(?:createReactAgent\b|[\w$.\s()'",]*\.compile\()`, LANGCHAIN),
  form('@mastra/core', String.raw`new\s+Agent\b`, ['return (await agent.generate(prompt)).text']),
]

const assigned = String.raw`^(\w+)(?:\s*:[^=\n]+)?\s*=\s*`

function python(name: string, made: string, call: AgentCall): AgentForm {
  return { package: name, written: new RegExp(`${assigned}${made}`, 'gm'), call }
}

/** Python, by the names that are imported. */
export const pythonForms: readonly (AgentForm & { readonly distribution: string })[] = [
  {
    distribution: 'pydantic-ai',
    ...python('pydantic_ai', String.raw`Agent(?:\[[^\]]*\])?\(`, {
      imports: ['from pydantic_ai.mcp import MCPServerStreamableHTTP'],
      lines: [
        'servers = [MCPServerStreamableHTTP(server["url"]) for server in mcp_servers().values()]',
        'return str(agent.run_sync(prompt, toolsets=servers).output)',
      ],
    }),
  },
  {
    distribution: 'openai-agents',
    ...python('agents', String.raw`Agent(?:\[[^\]]*\])?\(`, {
      imports: ['from agents import Runner'],
      lines: ['return str(Runner.run_sync(agent, prompt).final_output)'],
    }),
  },
  {
    distribution: 'strands-agents',
    ...python('strands', String.raw`Agent\(`, { imports: [], lines: ['return str(agent(prompt))'] }),
  },
  {
    distribution: 'langgraph',
    ...python('langgraph', String.raw`(?:create_react_agent|create_agent|[\w.]+\.compile)\(`, {
      imports: [],
      lines: [
        'state = agent.invoke({"messages": [{"role": "user", "content": prompt}]})',
        'return str(state["messages"][-1].content)',
      ],
    }),
  },
]
