/** An agent on the AI SDK, as a function that joust can attack. */
import { createMCPClient } from '@ai-sdk/mcp'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, stepCountIs } from 'ai'

const { OPENAI_BASE_URL: baseURL = 'https://api.openai.com/v1', OPENAI_API_KEY: apiKey, MODEL = 'gpt-5' } = process.env
const model = createOpenAICompatible({ name: 'openai', baseURL, apiKey })(MODEL)
/** The messages so far, by conversation. */
const threads = new Map()

export async function answer({ prompt, conversation, mcpServers, signal }) {
  const messages = [...(threads.get(conversation) ?? []), { role: 'user', content: prompt }]
  const clients = await Promise.all(
    Object.values(mcpServers).map(({ url }) => createMCPClient({ transport: { type: 'http', url } })),
  )
  try {
    const tools = Object.assign({}, ...(await Promise.all(clients.map((client) => client.tools()))))
    const { text } = await generateText({ model, tools, messages, stopWhen: stepCountIs(8), abortSignal: signal })
    threads.set(conversation, [...messages, { role: 'assistant', content: text }])
    return text
  } finally {
    await Promise.all(clients.map((client) => client.close()))
  }
}
