/** An OpenAI Agents agent with tools from MCP servers. */
import {
  Agent,
  assistant,
  connectMcpServers,
  MCPServerStreamableHttp,
  OpenAIChatCompletionsModel,
  run,
  setTracingDisabled,
  user,
} from '@openai/agents'
import OpenAI from 'openai'

setTracingDisabled(true)

/** Returns the agent's answer to a conversation. */
export async function answer({ llm, servers, system, messages }) {
  const model = new OpenAIChatCompletionsModel(new OpenAI({ baseURL: llm, apiKey: 'none' }), 'mock-model')
  const connections = Object.entries(servers).map(([name, url]) => new MCPServerStreamableHttp({ name, url }))
  const connected = await connectMcpServers(connections, { strict: true })
  try {
    const agent = new Agent({ name: 'assistant', instructions: system, model, mcpServers: connected.active })
    const said = messages.map(({ role, content }) => (role === 'assistant' ? assistant(content) : user(content)))
    const { finalOutput } = await run(agent, said, { maxTurns: 8 })
    return finalOutput
  } finally {
    await connected.close()
  }
}
