/** A LangGraph agent with tools from MCP servers. */
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'

/** Returns the agent's answer to a conversation. */
export async function answer({ llm, servers, system, messages }) {
  const places = Object.entries(servers).map(([name, url]) => [name, { transport: 'http', url }])
  const client = new MultiServerMCPClient({ mcpServers: Object.fromEntries(places) })
  try {
    const model = new ChatOpenAI({ model: 'mock-model', apiKey: 'none', configuration: { baseURL: llm } })
    const agent = createAgent({ model, tools: await client.getTools(), systemPrompt: system })
    const state = await agent.invoke({ messages })
    return state.messages.at(-1).content
  } finally {
    await client.close()
  }
}
