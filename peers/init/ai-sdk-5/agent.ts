import { openai } from '@ai-sdk/openai'
import { Experimental_Agent as Agent, stepCountIs, tool } from 'ai'
import { z } from 'zod'

export const weatherAgent = new Agent({
  model: openai('gpt-4o'),
  system: 'You are a helpful assistant.',
  tools: {
    weather: tool({
      description: 'Get the weather in a location (in Fahrenheit)',
      inputSchema: z.object({ location: z.string().describe('The location to get the weather for') }),
      execute: async ({ location }) => ({ location, temperature: 72 }),
    }),
  },
  stopWhen: stepCountIs(20),
})
