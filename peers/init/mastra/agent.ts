import { openai } from '@ai-sdk/openai'
import { Agent } from '@mastra/core/agent'

export const testAgent = new Agent({
  name: 'test-agent',
  instructions: 'You are a helpful assistant.',
  model: openai('gpt-4o'),
})
