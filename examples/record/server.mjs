// An MCP server over standard input and output with two tools, without dependencies.
import { createInterface } from 'node:readline'

const order = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }
const mail = {
  type: 'object',
  properties: { to: { type: 'string' }, text: { type: 'string' } },
  required: ['to', 'text'],
}
const tools = [
  { name: 'get_order', description: 'Reads an order.', inputSchema: order, annotations: { readOnlyHint: true } },
  { name: 'send_email', description: 'Sends an email.', inputSchema: mail },
]
const serverInfo = { name: 'shop', version: '1' }
const text = (value) => ({ content: [{ type: 'text', text: value }] })

const methods = {
  initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: input }) =>
    text(name === 'get_order' ? `Order ${input.id} for anna@example.com, key ${process.env.SHOP_API_KEY}` : 'sent'),
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  const result = methods[method]?.(params)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
}
