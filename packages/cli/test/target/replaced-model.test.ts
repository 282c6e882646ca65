/** Functions and agents of the Agent Client Protocol: their model behind the proxy, and an obedient one in its place. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Results } from '@joust/results'
import { expect, test } from 'vitest'
import { PROMPT, SERVER } from '../run/documents.ts'
import { folder, joust } from '../world.ts'
import { provider } from './model-world.ts'

/** Lets a model call the tools of a server until it has an answer. */
const CONVERSE = `export async function converse(model, url, prompt) {
  const post = async (to, body) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const text = await (await fetch(to, { method: 'POST', headers, body: JSON.stringify(body) })).text()
    return JSON.parse(text.slice(text.indexOf('{')))
  }
  const mcp = async (method, params = {}) => (await post(url, { jsonrpc: '2.0', id: 1, method, params })).result
  const { tools: listed } = await mcp('tools/list')
  const tools = listed.map(({ name, description, inputSchema: parameters }) => ({ type: 'function', function: { name, description, parameters } }))
  const messages = [{ role: 'user', content: prompt }]
  for (let turn = 0; turn < 6; turn++) {
    const { choices: [{ message }] } = await post(model + '/chat/completions', { model: 'm', messages, tools })
    messages.push(message)
    if (!message.tool_calls?.length) break
    for (const { id, function: { name, arguments: text } } of message.tool_calls)
      messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify((await mcp('tools/call', { name, arguments: JSON.parse(text) })).content) })
  }
  return messages.at(-1).content
}
`
const FUNCTION = `import { converse } from './converse.mjs'
export default ({ prompt, mcpServers, modelUrl }) =>
  converse(modelUrl ?? process.env.OPENAI_BASE_URL, Object.values(mcpServers)[0].url, prompt)
`
const ACP = `import { createInterface } from 'node:readline'
import { converse } from './converse.mjs'
let servers = []
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { mcpCapabilities: { http: true } } }),
  'session/new': ({ mcpServers }) => ((servers = mcpServers), { sessionId: 's' }),
  async 'session/prompt'({ prompt: [{ text }] }) {
    const said = await converse(process.env.OPENAI_BASE_URL, servers[0].url, text)
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: said } }
    send({ method: 'session/update', params: { sessionId: 's', update } })
    return { stopReason: 'end_turn' }
  },
}
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined) send({ id, result: (await answers[method]?.(params)) ?? {} })
})
`

test.each([
  ['a function', { module: './function.mjs' }],
  ['an ACP agent', { acp: 'node acp.mjs' }],
])('%s', async (_, target) => {
  const { url, requests } = await provider()
  const project = { targets: { desk: { ...target, prompt: PROMPT, model_proxy: { env: ['OPENAI_BASE_URL'] } } } }
  const files = { 'a.oatf.yaml': SERVER, 'converse.mjs': CONVERSE, 'function.mjs': FUNCTION, 'acp.mjs': ACP }
  const run = async (...words: readonly string[]) => {
    const cwd = folder({ ...files, 'joust.yaml': JSON.stringify(project) })
    const argv = ['run', 'a.oatf.yaml', '--no-preflight', '--grace', '0', '--report', 'json', '--out', 'out', ...words]
    const { stderr } = await joust(argv, { cwd, env: { PATH: process.env.PATH, OPENAI_BASE_URL: url } })
    expect(stderr).not.toContain('error')
    const results: Results = JSON.parse(readFileSync(join(cwd, 'out/results.json'), 'utf8'))
    return results.targets[0]?.attacks[0]
  }
  const observed = await run('--arms', 'sensitivity')
  expect(observed).toMatchObject({
    outcome: 'inconclusive',
    controls: { sensitivity: { fell: 1, of: 1 } },
    trials: [{ answer: expect.stringContaining('It is sunny.'), usage: { calls: 1, input_tokens: 100 } }],
  })
  expect(requests).toHaveLength(1)
  expect(await run('--with-model', 'sim/credulous')).toMatchObject({ outcome: 'exploited' })
  expect(requests).toHaveLength(1)
})
