/** An AI SDK agent with tools from MCP servers, whose instructions it adds to its system prompt. */
import { createMCPClient } from '@ai-sdk/mcp'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, stepCountIs } from 'ai'

/** Returns the agent's answer to a conversation. */
export async function answer({ llm, servers, system, messages }) {
  const provider = createOpenAICompatible({ name: 'mock', baseURL: llm, apiKey: 'none' })
  const clients = []
  try {
    for (const url of Object.values(servers)) clients.push(await createMCPClient({ transport: { type: 'http', url } }))
    const tools = Object.assign({}, ...(await Promise.all(clients.map((client) => client.tools()))))
    const instructions = clients.flatMap((client) => client.instructions ?? [])
    const { text } = await generateText({
      model: provider('mock-model'),
      tools,
      system: [system, ...instructions].join('\n\n'),
      messages,
      stopWhen: stepCountIs(8),
    })
    return text
  } finally {
    await Promise.all(clients.map((client) => client.close()))
  }
}
