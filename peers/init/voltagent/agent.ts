import { openai } from '@ai-sdk/openai'
import { Agent } from '@voltagent/core'

export const agent = new Agent({
  name: 'my-agent',
  instructions: 'A helpful assistant that answers questions.',
  model: openai('gpt-4o-mini'),
})
