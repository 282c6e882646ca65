/** src/mastra/index.ts of a Mastra project: an agent whose MCP servers are the slots of a gateway. */
import { Mastra } from '@mastra/core'
import { Agent } from '@mastra/core/agent'
import { MCPClient } from '@mastra/mcp'

const slots = [1, 2, 3].map((number) => [`server-${number}`, { url: new URL(`http://127.0.0.1:7000/mcp/${number}`) }])
const mcp = new MCPClient({ servers: Object.fromEntries(slots) })

const desk = new Agent({
  id: 'desk',
  name: 'desk',
  instructions: 'You are helpful.',
  model: 'openai/gpt-5',
  // Listed again for each request, because what the slots offer changes from run to run.
  tools: () => mcp.listTools(),
})

export const mastra = new Mastra({ agents: { desk } })
