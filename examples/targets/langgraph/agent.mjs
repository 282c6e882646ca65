/** An agent on LangGraph, as a function that joust can attack. */
import { MemorySaver } from '@langchain/langgraph'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'

const { OPENAI_BASE_URL: baseURL, MODEL = 'gpt-5' } = process.env
const model = new ChatOpenAI({ model: MODEL, configuration: { baseURL } })
const checkpointer = new MemorySaver()

export async function answer({ prompt, conversation, mcpServers, signal }) {
  const places = Object.entries(mcpServers).map(([name, { url }]) => [name, { transport: 'http', url }])
  const client = new MultiServerMCPClient({ mcpServers: Object.fromEntries(places) })
  try {
    const tools = places.length === 0 ? [] : await client.getTools()
    const agent = createAgent({ model, tools, checkpointer })
    const messages = [{ role: 'user', content: prompt }]
    const state = await agent.invoke({ messages }, { configurable: { thread_id: conversation }, signal })
    return state.messages.at(-1).content
  } finally {
    await client.close()
  }
}
