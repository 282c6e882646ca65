/** An agent on OpenAI Agents, with the tools of an MCP server. Environment: MCP_URL, LLM_URL, PROMPT. */
import {
  Agent,
  MCPServerStreamableHttp,
  run,
  setDefaultOpenAIClient,
  setOpenAIAPI,
  setTracingDisabled,
} from '@openai/agents'
import OpenAI from 'openai'

const { MCP_URL, LLM_URL, PROMPT } = process.env
setTracingDisabled(true)
setOpenAIAPI('chat_completions')
setDefaultOpenAIClient(new OpenAI({ baseURL: LLM_URL, apiKey: 'none' }))
const server = new MCPServerStreamableHttp({ name: 'tools', url: MCP_URL })
await server.connect()
const agent = new Agent({
  name: 'assistant',
  instructions: 'You are helpful.',
  model: 'mock-model',
  mcpServers: [server],
})
const { finalOutput } = await run(agent, PROMPT, { maxTurns: 8 })
console.log(finalOutput)
await server.close()
process.exit(0)
