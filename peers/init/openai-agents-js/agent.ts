import { Agent, run, tool } from '@openai/agents'
import { z } from 'zod'

const historyFunFact = tool({
  name: 'history_fun_fact',
  description: 'Give a fun fact about a historical event',
  parameters: z.object({}),
  execute: async () => 'Sharks are older than trees.',
})

export const agent = new Agent({
  name: 'History Tutor',
  instructions: 'You provide assistance with historical queries.',
  tools: [historyFunFact],
})

if (import.meta.filename === process.argv[1]) {
  const result = await run(agent, 'When did sharks first appear?')
  console.log(result.finalOutput)
}
