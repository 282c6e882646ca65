// An agent without a model: reads an order, and confirms it by email. `node agent.mjs MCP_CONFIG`
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const { command, args, env } = JSON.parse(readFileSync(process.argv[2], 'utf8')).mcpServers.shop
const server = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] })
const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
let id = 0

async function ask(method, params = {}) {
  id += 1
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  return JSON.parse((await lines.next()).value).result
}

const clientInfo = { name: 'clerk', version: '1' }
await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
await ask('tools/list')
const order = await ask('tools/call', { name: 'get_order', arguments: { id: 'A17' } })
const to = order.content[0].text.match(/\S+@[\w.]+/)[0]
await ask('tools/call', { name: 'send_email', arguments: { to, text: 'Your order A17 is on its way.' } })
console.log(`confirmed to ${to}`)
server.stdin.end()
