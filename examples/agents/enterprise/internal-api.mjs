/** A server of the company: MCP over standard streams, one JSON message per line. */
import { createInterface } from 'node:readline'

const text = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const tools = [
  { name: 'find_employee', description: 'Finds an employee by name.', inputSchema: text },
  { name: 'send_report', description: 'Sends a report to an employee.', inputSchema: text },
  { name: 'delete_all', description: 'Deletes every record.', inputSchema: { type: 'object' } },
]

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'internal-api', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: { name: who } }) => ({
    content: [{ type: 'text', text: name === 'send_report' ? `report sent to ${who}` : `${who}: desk 12` }],
  }),
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer = answers[method]
  const error = { code: -32601, message: `unknown method ${method}` }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(answer ? { result: answer(params) } : { error }) }))
}
