/** A wrong model, key or address is one error, before anything is run. */
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SERVER, selfPlay, USER } from '../run/documents.ts'
import { AGENT, folder, joust } from '../world.ts'

/** A provider that answers everything with this status, and counts its requests. */
async function provider(status: number, body: object) {
  const state = { asked: 0 }
  const server = createServer((_, response) => {
    state.asked += 1
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()))
  onTestFinished(close)
  // A server that listens on a port has an address of this type.
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return { state, close, env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'sk-wrong-0123456789' } }
}

const files = { 'a.oatf.yaml': SERVER, 'b.oatf.yaml': SERVER.replace('TEST-001', 'TEST-009') }
const argv = ['run', 'a.oatf.yaml', 'b.oatf.yaml', '--grace', '0', '--report', 'json', '--out', 'out']
const refused = { error: { message: 'Incorrect API key provided', type: 'invalid_request_error' } }

describe('one error, and nothing is run', () => {
  test.each([
    [401, 'Incorrect API key provided (status 401)'],
    [404, '(status 404)'],
    [400, '(status 400)'],
  ])('a model that answers %i', async (status, message) => {
    const cwd = folder(files)
    const { state, env } = await provider(status, refused)
    const { code, stdout, stderr } = await joust([...argv, '--model', 'openai/gpt-x'], { cwd, env })
    expect([code, stdout, state.asked]).toEqual([64, '', 1])
    expect(stderr).toContain(`joust: openai/gpt-x cannot be called: `)
    expect(stderr).toContain(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(readdirSync(cwd)).not.toContain('out')
  })

  const spoken = { choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }] }

  test('a server that drops tools, where an attack or the agent has some', async () => {
    const { state, env: openai } = await provider(200, { id: 'x', created: 1, model: 'm', ...spoken })
    const env = { OPENAI_COMPATIBLE_BASE_URL: openai.OPENAI_BASE_URL }
    const model = 'openai-compatible/m'
    const local_tools = 'action_space: { local_tools: [{ alias: pay }] }\n'
    const cwd = folder({
      ...files,
      'user.oatf.yaml': USER,
      'tools.agf.yaml': `${AGENT.replace('model: any', `model: ${model}`)}${local_tools}`,
    })
    const { code, stdout, stderr } = await joust([...argv, '--model', model], { cwd, env })
    expect([code, stdout, state.asked]).toEqual([64, '', 2])
    expect(stderr).toBe(
      'joust: openai-compatible/m calls no tools: the model did not call a required tool; ' +
        'check that the model and its server support tools\n',
    )
    const talk = ['run', 'user.oatf.yaml', '--grace', '0', '--report', 'json']
    const agent = await joust([...talk, '--out', 'agent', '--agent', 'tools.agf.yaml'], { cwd, env })
    expect([agent.code, agent.stderr]).toEqual([64, expect.stringContaining('calls no tools')])
    // A talk without tools needs none.
    expect((await joust([...talk, '--out', 'talk', '--model', model], { cwd, env })).code).not.toBe(64)
    expect((await joust([...argv, '--model', model, '--no-preflight'], { cwd, env })).code).not.toBe(64)
  })

  test('no server at the address', async () => {
    const cwd = folder(files)
    const { env, close } = await provider(200, {})
    await close()
    const { code, stderr } = await joust([...argv, '--model', 'openai/gpt-x'], { cwd, env })
    expect([code, stderr.trim().split('\n').length]).toEqual([64, 1])
    expect(stderr).toContain('cannot be called')
  })

  test.each([
    ['openai/gpt-x', 'openai/gpt-x: missing API key for openai (set OPENAI_API_KEY)'],
    ['acme/gpt-x', 'unknown model provider "acme"'],
    ['sim/gullible', 'unknown simulated model "gullible"'],
  ])('the model of an agent file, %s', async (model, message) => {
    const cwd = folder({ ...files, 'agent.agf.yaml': AGENT.replace('model: any', `model: ${model}`) })
    const { code, stderr } = await joust([...argv, '--agent', 'agent.agf.yaml', '--quiet'], { cwd })
    expect([code, stderr]).toEqual([64, expect.stringContaining(message)])
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  test('a judge', async () => {
    const semantic = "    - { protocol: mcp, actor: server, target: '', semantic: { intent: Tells a password } }\n"
    const cwd = folder({ 'a.oatf.yaml': `${selfPlay('TEST-040', 'x')}${semantic}` })
    const { env } = await provider(401, refused)
    const words = ['run', 'a.oatf.yaml', '--wire', 'client=server', '--judge', 'openai/gpt-x']
    const { code, stderr } = await joust(words, { cwd, env })
    expect([code, stderr]).toEqual([64, expect.stringContaining('--judge openai/gpt-x cannot be called')])
  })
})

describe('an attacker whose provider repeats the key that it refuses', () => {
  const repeated = { error: { message: 'Incorrect API key provided: Bearer sk-wrong-0123456789' } }
  const attacker = ['--attacker', 'openai/gpt-x', '--model', 'sim/cautious', '--in-process', '--out', 'out']
  // One answer is left to a model to write.
  const written = SERVER.replace(/responses: .*/, 'responses: [{ synthesize: { prompt: Say that all is well. } }]')

  test.each([
    [['search', 'a.oatf.yaml', ...attacker, '--rounds', '1'], SERVER],
    [['run', 'a.oatf.yaml', ...attacker], written],
  ])('%j', async (words, document) => {
    const cwd = folder({ 'a.oatf.yaml': document })
    const { state, env } = await provider(401, repeated)
    const { code, stdout, stderr } = await joust(words, { cwd, env })
    expect([code, stdout, state.asked], stderr).toEqual([64, '', 1])
    expect(stderr).toContain('joust: --attacker openai/gpt-x cannot be called: Incorrect API key')
    const blind = await joust([...words, '--no-preflight'], { cwd, env })
    expect(state.asked).toBeGreaterThan(1)
    expect(blind.stdout + blind.stderr).toContain('Incorrect API key provided')
    for (const said of [stderr, blind.stdout, blind.stderr]) expect(said).not.toContain('sk-wrong-0123456789')
  })
})

test('a provider that is busy may answer later, a simulation is not asked, and --no-preflight asks nothing', async () => {
  const cwd = folder(files)
  const { state, env } = await provider(401, refused)
  const blind = await joust([...argv, '--model', 'openai/gpt-x', '--no-preflight', '--quiet'], { cwd, env })
  expect(blind.code).toBe(5)
  const before = state.asked
  expect((await joust([...argv, '--model', 'sim/silent', '--dry-run'], { cwd, env })).code).toBe(0)
  expect((await joust([...argv, '--model', 'openai/gpt-x', '--dry-run'], { cwd, env })).code).toBe(0)
  expect(state.asked).toBe(before)
})
