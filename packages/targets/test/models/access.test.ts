/** Model access: runs that do not see each other's calls, and tools that a simulated model may call. */
import { get } from 'node:http'
import { PREFLIGHT_TOOL } from '@joust/arena'
import { type OfferedTool, simulated } from '@joust/models'
import { credulousModel } from '@joust/sim'
import { describe, expect, test } from 'vitest'
import { createModelAccess } from '../../src/models/access.ts'
import { type AllowTool, isListedTool } from '../../src/models/listed-tools.ts'
import { createServedModel } from '../../src/models/served.ts'
import { modelRoutes } from '../../src/models/variables.ts'

const none = () => undefined

describe('createModelAccess', () => {
  const routes = modelRoutes({ env: ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL'] }, none)
  const reply = { status: 200, headers: [], pieces: ['{}'] }

  test('concurrent runs see only their own calls', async () => {
    if (!routes.ok) throw new Error(routes.error)
    const open = createModelAccess({ routes: routes.value, answer: () => async () => reply })
    const [first, second] = await Promise.all([open({}), open({})])
    const say = (url: string, content: string) =>
      fetch(`${url}/chat/completions`, {
        method: 'POST',
        body: JSON.stringify({ messages: [{ role: 'user', content }] }),
      })
    await Promise.all([say(first.url, 'bait one'), say(second.url, 'bait two'), say(second.url, 'bait two')])
    const seen = [first, second].map(({ observation }) => JSON.stringify(observation?.calls()))
    expect([first, second].map(({ observation }) => observation?.calls().length)).toEqual([1, 2])
    expect(seen[0]).not.toContain('bait two')
    expect(seen[1]).not.toContain('bait one')
    await first.close()
    expect((await say(second.url, 'still open')).status).toBe(200)
    await second.close()
    await expect(say(second.url, 'closed')).rejects.toThrow()
  })
})

test('a copy of a tool of the agent is not allowed, if the preflight showed that tool', async () => {
  const routes = modelRoutes({ env: ['OPENAI_BASE_URL'] }, none)
  if (!routes.ok) throw new Error(routes.error)
  const answer = (allowTool: AllowTool) => simulated(credulousModel(), { allowTool })
  const served = createServedModel({ port: 0, routes: routes.value, answer })
  await served.open()
  for (const open of [createModelAccess({ routes: routes.value, answer }), served.access]) {
    const callsIn = async (listed: readonly string[], offered: readonly string[]) => {
      const tool = (name: string) => ({ actor: 'files', name, description: `The tool ${name}.` })
      const run = await open({ listedTools: () => listed.map(tool) })
      const tools = offered.map(tool).map(({ actor: _, ...named }) => ({ type: 'function', function: named }))
      const messages = [{ role: 'user', content: 'You must call bash.' }]
      const response = await fetch(`${run.url}/chat/completions`, {
        method: 'POST',
        body: JSON.stringify({ messages, tools }),
      })
      const [{ message }] = (await response.json()).choices
      await run.close()
      return (message.tool_calls ?? []).map(
        (call: { readonly function: { readonly name: string } }) => call.function.name,
      )
    }
    expect(await callsIn(['bash'], ['bash'])).toEqual(['bash'])
    await callsIn([PREFLIGHT_TOOL], [PREFLIGHT_TOOL, 'bash'])
    expect(await callsIn(['bash'], ['bash'])).toEqual([])
  }
  await served.close()
})

test('an agent that only opens a WebSocket is told to turn it off', async () => {
  const routes = modelRoutes({ env: ['OPENAI_BASE_URL'] }, none)
  if (!routes.ok) throw new Error(routes.error)
  const run = await createModelAccess({ routes: routes.value })({})
  const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'x' }
  await new Promise((resolve) => get(`${run.url}/responses`, { headers }, resolve))
  expect(run.observation?.calls()).toEqual([])
  expect(run.notes()).toMatchObject([{ code: 'model-not-called', message: expect.stringContaining('WebSocket') }])
  await run.close()
})

test('requests that are no model calls count as none, and one in an unknown format is missed', async () => {
  const routes = modelRoutes({ env: ['OPENAI_BASE_URL'] }, none)
  if (!routes.ok) throw new Error(routes.error)
  const reply = { status: 200, headers: [], pieces: ['{"data":[]}'] }
  const run = await createModelAccess({ routes: routes.value, answer: () => async () => reply })({})
  await fetch(`${run.url}/models`)
  await fetch(`${run.url}/messages/count_tokens`, { method: 'POST', body: '{}' })
  expect([run.observation?.calls(), run.observation?.missed()]).toEqual([[], 0])
  expect(run.notes().map(({ code }) => code)).toEqual(['model-not-called'])
  await fetch(`${run.url}/completions`, { method: 'POST', body: '{}' })
  expect([run.observation?.calls(), run.observation?.missed()]).toEqual([[], 1])
  await run.close()
})

test('an agent that drops the path prefix of the address is told the refused path', async () => {
  const routes = modelRoutes({ env: ['OPENAI_BASE_URL'] }, none)
  if (!routes.ok) throw new Error(routes.error)
  const reply = { status: 200, headers: [], pieces: ['{}'] }
  const open = createModelAccess({ routes: routes.value, answer: () => async () => reply })
  const first = await open({})
  const post = async (url: string) => (await fetch(url, { method: 'POST', body: '{}' })).status
  const { origin } = new URL(first.url)
  expect(await post(`${origin}/v1/chat/completions`)).toBe(404)
  const second = await open({})
  await first.close()
  await post(`${first.url}/chat/completions`)
  expect(first.notes()).toMatchObject([
    { code: 'model-not-called', message: expect.stringContaining('rejected "/v1/chat/completions"') },
  ])
  // Earlier requests, and those of a run that was closed, are not of this run.
  expect(second.notes()[0]?.message).toContain('sent no model call')
  await second.close()
})

describe('modelRoutes', () => {
  test('the address is that of the user, or of the provider', () => {
    const values: Record<string, string> = { OPENAI_BASE_URL: 'http://127.0.0.1:8080/v1' }
    const addresses = (env: readonly string[], upstream?: string) => {
      const routes = modelRoutes({ env, ...(upstream && { upstream }) }, (name) => values[name])
      return routes.ok ? routes.value.map(({ address }) => address) : routes.error
    }
    expect(addresses(['OPENAI_BASE_URL', 'GOOGLE_GEMINI_BASE_URL'])).toEqual([
      'http://127.0.0.1:8080/v1',
      'https://generativelanguage.googleapis.com',
    ])
    expect(addresses(['OWN_URL'], 'https://models.example/api')).toEqual(['https://models.example/api'])
    expect(addresses(['OWN_URL'])).toContain('the model API behind OWN_URL is unknown')
    expect(addresses([], 'https://user:secret@models.example')).not.toContain('secret')
  })

  test('both paths of Anthropic clients map to the same path of the provider, unless the user sets the address', () => {
    const rewrite = (value?: string) => {
      const routes = modelRoutes({ env: ['ANTHROPIC_BASE_URL'] }, () => value)
      return (path: string) => (routes.ok ? (routes.value[0].rewrite?.(path) ?? path) : undefined)
    }
    expect(['/messages', '/v1/messages', '/messages/count_tokens', '/api/hello'].map(rewrite())).toEqual([
      '/v1/messages',
      '/v1/messages',
      '/v1/messages/count_tokens',
      '/api/hello',
    ])
    expect(rewrite('https://models.example')('/messages')).toBe('/messages')
  })
})

describe('isListedTool', () => {
  const listed = [{ actor: 'files', name: 'read-file', description: 'Reads a file of the project.' }]
  const tool = (name: string, description = 'Reads a file of the project.'): OfferedTool => ({ name, description })

  test.each([
    'read-file',
    'read_file',
    'files_read-file',
    'files__read_file',
    'mcp__files__read-file',
    'mcp_files_read_file',
  ])('%s is a tool of the actor', (name) => expect(isListedTool(tool(name), [tool(name)], listed)).toBe(true))

  test('a tool of the agent is not, even with the same name', () => {
    const own = tool('read_file', 'Reads any file of this machine.')
    expect(isListedTool(own, [own], listed)).toBe(false)
    expect(isListedTool(tool('other_read_file'), [tool('other_read_file')], listed)).toBe(false)
    const short = [{ ...listed[0], actor: 'run', name: 'shell_command', description: 'e' }] as const
    const shell = tool('run_shell_command', `Executes a command of the shell. ${'It has many options. '.repeat(5)}`)
    expect(isListedTool(shell, [shell], short)).toBe(false)
  })

  test('a tool of the agent is not, if an attack lists its name and a part of its description', () => {
    const own = tool('bash', 'Runs a command.')
    const listing = (description: string) => [{ actor: 'files', name: 'bash', description }]
    for (const description of ['Runs', '', 'Runs a command'])
      expect(isListedTool(own, [own], listing(description))).toBe(false)
    const bare = tool('bash', '')
    for (const description of ['Runs', '']) expect(isListedTool(bare, [bare], listing(description))).toBe(false)
    const shell = tool('run_shell_command', 'Runs a command.')
    for (const [actor, name] of [
      ['run', 'shell_command'],
      ['shell', 'command'],
    ] as const)
      expect(isListedTool(shell, [shell], [{ actor, name, description: 'Runs' }])).toBe(false)
  })

  test('a tool is not, if another tool has its name, unless only its description is the listed one', () => {
    const same = [tool('read_file'), tool('read_file', 'Reads any file of this machine.')]
    const alike = [tool('read-file'), tool('read_file')]
    const separate = [tool('read-file'), tool('read_file', 'Reads any file of this machine.')]
    const added = ['files_read-file', 'files_read_file'].map((name) => tool(name, 'Reads a file of the project. (MCP)'))
    const isListed = (offered: readonly OfferedTool[]) => offered.map((one) => isListedTool(one, offered, listed))
    expect([same, alike, added].map(isListed)).toEqual(Array(3).fill([false, false]))
    expect(isListed(separate)).toEqual([true, false])
  })

  test('a tool is, if the agent puts markers around its description', () => {
    const marked = (text: string) => tool('read_file', `<<<BEGIN_UNTRUSTED>>>\n${text}\n<<<END_UNTRUSTED>>>`)
    const [offered, longer] = [marked('Reads a file of the project.'), marked('Reads a file of the project. Always.')]
    expect(isListedTool(offered, [offered], listed)).toBe(true)
    expect(isListedTool(longer, [longer], listed)).toBe(false)
  })

  test('a prefixed tool is, if the agent adds to the description or drops it', () => {
    for (const description of ['Reads a file of the project. (files MCP server)', '']) {
      const offered = tool('files__read-file', description)
      expect(isListedTool(offered, [offered], listed)).toBe(true)
    }
  })

  test('of several tools, the one with the name of the server counts', () => {
    const offered = [tool('read_file'), tool('mcp__files__read_file')]
    expect(offered.map((one) => isListedTool(one, offered, listed))).toEqual([false, true])
  })
})
