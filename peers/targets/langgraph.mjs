/** An agent on LangGraph, with the tools of an MCP server. Environment: MCP_URL, LLM_URL, PROMPT. */
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'

const { MCP_URL, LLM_URL, PROMPT } = process.env
const client = new MultiServerMCPClient({ mcpServers: { tools: { transport: 'http', url: MCP_URL } } })
const model = new ChatOpenAI({ model: 'mock-model', apiKey: 'none', configuration: { baseURL: LLM_URL } })
const agent = createAgent({ model, tools: await client.getTools() })
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: PROMPT }] })
console.log(messages.at(-1).content)
await client.close()
process.exit(0)
