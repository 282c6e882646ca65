import { createAgent, tool } from 'langchain'
import * as z from 'zod'

const getWeather = tool(({ city }) => `It's always sunny in ${city}!`, {
  name: 'get_weather',
  description: 'Get the weather for a given city',
  schema: z.object({ city: z.string() }),
})

export const agent = createAgent({
  model: 'openai:gpt-5',
  tools: [getWeather],
})
