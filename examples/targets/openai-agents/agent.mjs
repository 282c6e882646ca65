/** An agent on OpenAI Agents, as a function that joust can attack. */
import {
  Agent,
  connectMcpServers,
  MCPServerStreamableHttp,
  OpenAIChatCompletionsModel,
  run,
  user,
} from '@openai/agents'
import OpenAI from 'openai'

// The client reads OPENAI_API_KEY and OPENAI_BASE_URL itself.
const model = new OpenAIChatCompletionsModel(new OpenAI(), process.env.MODEL ?? 'gpt-5')
/** The messages so far, by conversation. */
const threads = new Map()

export async function answer({ prompt, conversation, mcpServers, signal }) {
  const servers = Object.entries(mcpServers).map(([name, { url }]) => new MCPServerStreamableHttp({ name, url }))
  const connected = await connectMcpServers(servers, { strict: true })
  try {
    const agent = new Agent({ name: 'assistant', model, mcpServers: connected.active })
    const said = [...(threads.get(conversation) ?? []), user(prompt)]
    const { finalOutput, history } = await run(agent, said, { maxTurns: 8, signal })
    threads.set(conversation, history)
    return finalOutput
  } finally {
    await connected.close()
  }
}
