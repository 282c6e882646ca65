import { anthropic } from '@genkit-ai/anthropic'
import { genkit } from 'genkit'

const ai = genkit({ plugins: [anthropic()], model: anthropic.model('claude-sonnet-4-5') })

export const assistantAgent = ai.definePrompt({
  name: 'assistant',
  description: 'Answers questions.',
  system: 'You are a helpful assistant.',
})
