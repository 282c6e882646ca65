import { openai } from '@ai-sdk/openai'
import { ToolLoopAgent, tool } from 'ai'
import { z } from 'zod'

export const weatherAgent = new ToolLoopAgent({
  model: openai('gpt-5'),
  instructions: 'You are a helpful assistant.',
  tools: {
    weather: tool({
      description: 'Get the weather in a location (in Fahrenheit)',
      inputSchema: z.object({ location: z.string().describe('The location to get the weather for') }),
      execute: async ({ location }) => ({ location, temperature: 72 }),
    }),
  },
})
