/**
 * Serves agents over AG-UI until it is stopped: `serve-ag-ui.mjs FRAMEWORK AGENTS`. AGENTS is a JSON file with the
 * model and MCP servers for each path: `{ "/clerk": { "llm": URL, "servers": { NAME: URL } } }`. Prints its address.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const [framework, file] = process.argv.slice(2)
const { answer } = await import(`./${framework}.mjs`)
const agents = JSON.parse(readFileSync(file, 'utf8'))

const server = createServer(async (request, response) => {
  const agent = agents[request.url]
  if (agent === undefined || request.method !== 'POST') return response.writeHead(404).end()
  const input = JSON.parse(await text(request))
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for await (const event of eventsOf(agent, input)) response.write(`data: ${JSON.stringify(event)}\n\n`)
  response.end()
})

async function* eventsOf(agent, { threadId, runId, messages, context }) {
  yield { type: 'RUN_STARTED', threadId, runId }
  try {
    const said = messages.filter(({ role }) => role === 'user' || role === 'assistant')
    const delta = await answer({
      ...agent,
      system: ['You are helpful.', ...context.map(({ description, value }) => `${description}: ${value}`)].join('\n'),
      messages: said.map(({ role, content }) => ({ role, content })),
    })
    const messageId = randomUUID()
    yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }
    yield { type: 'TEXT_MESSAGE_CONTENT', messageId, delta }
    yield { type: 'TEXT_MESSAGE_END', messageId }
    yield { type: 'RUN_FINISHED', threadId, runId }
  } catch (error) {
    yield { type: 'RUN_ERROR', message: String(error?.message ?? error) }
  }
}

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
