/** An agent on the AI SDK, with the tools of an MCP server. Environment: MCP_URL, LLM_URL, PROMPT. */
import { createMCPClient } from '@ai-sdk/mcp'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, stepCountIs } from 'ai'

const { MCP_URL, LLM_URL, PROMPT } = process.env
const provider = createOpenAICompatible({ name: 'mock', baseURL: LLM_URL, apiKey: 'none' })
const client = await createMCPClient({ transport: { type: 'http', url: MCP_URL } })
try {
  const tools = await client.tools()
  const { text } = await generateText({
    model: provider('mock-model'),
    tools,
    prompt: PROMPT,
    stopWhen: stepCountIs(8),
  })
  console.log(text)
} finally {
  await client.close()
}
