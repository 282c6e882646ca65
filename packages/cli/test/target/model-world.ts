/** A provider of models and a small agent for tests of the model proxy, over real sockets. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Offers the tools of its server, with its own shell, to a model of the OpenAI API until there are no more calls. */
export const AGENT = `
import { readFileSync } from 'node:fs'
const base = process.argv[2] ?? process.env.OPENAI_BASE_URL
const { mcpServers } = JSON.parse(readFileSync(process.env.MCP_CONFIG, 'utf8'))
const [{ url }] = Object.values(mcpServers)
const post = async (to, body, more = {}) => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more }
  const answer = await fetch(to, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error('status ' + answer.status + ': ' + text)
  return JSON.parse(text.slice(text.indexOf('{')))
}
let id = 0
const mcp = async (method, params = {}) => (await post(url, { jsonrpc: '2.0', id: ++id, method, params })).result
const { tools: listed } = await mcp('tools/list')
const shell = { name: 'bash', description: 'Runs a command.', inputSchema: { type: 'object', properties: { command: { type: 'string' } } } }
const tools = [...listed, shell].map(({ name, description, inputSchema: parameters }) => ({ type: 'function', function: { name, description, parameters } }))
const messages = [{ role: 'user', content: process.env.PROMPT }]
for (let turn = 0; turn < 6; turn++) {
  const key = { authorization: 'Bearer ' + process.env.OPENAI_API_KEY }
  const { choices: [{ message }] } = await post(base + '/chat/completions', { model: 'm', messages, tools }, key)
  messages.push(message)
  if (!message.tool_calls?.length) break
  for (const call of message.tool_calls) {
    const { name, arguments: text } = call.function
    if (name === 'bash') console.log('SHELL ' + text)
    const result = name === 'bash' ? 'ok' : JSON.stringify((await mcp('tools/call', { name, arguments: JSON.parse(text) })).content)
    messages.push({ role: 'tool', tool_call_id: call.id, content: result })
  }
}
console.log(messages.at(-1).content, 'base', base)
`

/** A provider that calls no tools, and remembers its requests. */
export async function provider(status = 200) {
  const requests: { readonly path: string; readonly key: string; readonly body: string }[] = []
  const read = async (request: IncomingMessage) => {
    let text = ''
    for await (const chunk of request) text += chunk
    return text
  }
  const server = createServer(async (request, response) => {
    requests.push({
      path: request.url ?? '',
      key: request.headers.authorization ?? '',
      body: await read(request),
    })
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'It is sunny.' } }]
    const usage = { prompt_tokens: 100, completion_tokens: 7 }
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(status === 200 ? { id: 'c', choices, usage } : { error: { message: 'slow down' } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // A server that listens on a port has an address of this type.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests }
}
