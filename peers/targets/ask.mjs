/** Asks an agent once, as a command: `ask.mjs FRAMEWORK MCP_CONFIG PROMPT`. Environment: LLM_URL. */
import { serversIn } from './servers.mjs'

const [framework, config, prompt] = process.argv.slice(2)
const { answer } = await import(`./${framework}.mjs`)
const text = await answer({
  llm: process.env.LLM_URL,
  servers: serversIn(config),
  system: 'You are helpful.',
  messages: [{ role: 'user', content: prompt }],
})
console.log(text)
// Some frameworks keep sockets open.
process.exit(0)
