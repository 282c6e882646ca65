/** An agent over HTTP: its model calls the tools of its MCP server until it has an answer. */
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'

const { MCP_URL = '', OPENAI_BASE_URL = '', OPENAI_API_KEY = '', PORT = '8000' } = process.env

async function post(url, body) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${OPENAI_API_KEY}`,
  }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`)
  return JSON.parse(text.slice(text.indexOf('{')))
}

async function mcp(method, params) {
  const { result } = await post(MCP_URL, { jsonrpc: '2.0', id: crypto.randomUUID(), method, params })
  return result
}

async function answer(messages) {
  const { tools: listed } = await mcp('tools/list', {})
  const tools = listed.map(({ name, description, inputSchema: parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
  for (let turn = 0; turn < 8; turn += 1) {
    const { choices } = await post(`${OPENAI_BASE_URL}/chat/completions`, { model: 'gpt-5-mini', messages, tools })
    const [{ message }] = choices
    messages.push(message)
    if (!message.tool_calls?.length) return message.content
    for (const { id, function: call } of message.tool_calls) {
      const { content } = await mcp('tools/call', { name: call.name, arguments: JSON.parse(call.arguments) })
      messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(content) })
    }
  }
  return 'I could not finish this.'
}

const server = createServer(async (request, response) => {
  try {
    const { messages } = await json(request)
    response.end(JSON.stringify({ answer: await answer(messages) }))
  } catch (thrown) {
    console.error(thrown)
    response.writeHead(500).end()
  }
})
server.listen(Number(PORT), '127.0.0.1')
