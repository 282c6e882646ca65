/** Recording over HTTP: what the conformance suite does not notice, tested directly. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, test, vi } from 'vitest'
import { addressIn, httpConfig, recordIn, serve, shown } from './support.ts'

const call = (id: number, more: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'ask', arguments: {}, ...more },
})
const answer = (id: number, value: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: value }] } })
const post = (url: string, body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })

async function recorded(
  listener: (request: IncomingMessage, response: import('node:http').ServerResponse) => void,
  more = {},
) {
  const server = await serve(listener)
  const recording = await recordIn({ config: httpConfig(`${server.url}/mcp?v=1`), ...more })
  return { server, recording, url: addressIn(recording) }
}

describe('a relay passes on', () => {
  test('method, path, query, headers and body as they are, and the name of the server as host', async () => {
    const seen: unknown[] = []
    const { server, url, recording } = await recorded(async (request, response) => {
      const { host, origin, authorization } = request.headers
      seen.push([request.method, request.url, host, origin, authorization, await text(request)])
      response.writeHead(200, { 'content-type': 'application/json', 'x-own': 'yes' }).end(`  ${answer(1, 'ä')}\n`)
    })
    const body = `{ "jsonrpc":"2.0","id":1,\n"method":"ping" }`
    const headers = { authorization: 'Bearer abc12345', origin: new URL(url).origin }
    const got = await fetch(url, { method: 'POST', headers, body })
    const { host, origin } = new URL(server.url)
    expect(seen).toEqual([['POST', '/mcp?v=1', host, origin, 'Bearer abc12345', body]])
    expect(got.headers.get('x-own')).toBe('yes')
    expect(await got.text()).toBe(`  ${answer(1, 'ä')}\n`)
    expect(JSON.stringify(recording.entries())).not.toContain('abc12345')
  })

  test('a foreign host, so that the server can refuse it', async () => {
    const seen: unknown[] = []
    const { url } = await recorded((request, response) => {
      seen.push(request.headers.host, request.headers.origin)
      response.writeHead(403).end()
    })
    const { port, pathname } = new URL(url)
    const headers = { host: 'evil.example:80', origin: 'http://evil.example' }
    const status = await new Promise((resolve) =>
      httpRequest({ host: '127.0.0.1', port, path: pathname, headers, method: 'POST' }, (got) => {
        got.resume()
        resolve(got.statusCode)
      }).end('{}'),
    )
    expect([status, ...seen]).toEqual([403, 'evil.example:80', 'http://evil.example'])
  })

  test('headers before the first event of a stream', async () => {
    let push = (_: string) => {}
    const { url } = await recorded((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      push = (chunk) => void response.write(chunk)
    })
    const stream = await fetch(url, { headers: { accept: 'text/event-stream' } })
    expect(stream.status).toBe(200)
    push('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n')
    const { value } = (await stream.body?.getReader().read()) ?? {}
    expect(new TextDecoder().decode(value)).toContain('list_changed')
  })

  test('Last-Event-ID; an answer on the resumed stream belongs to the request of the first', async () => {
    const resumed: unknown[] = []
    const { url, recording } = await recorded((request, response) => {
      response.setHeader('mcp-session-id', 'one')
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (request.method === 'POST') {
        response.write('id: e1\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}\n\n')
        setTimeout(() => response.end(), 20)
      } else {
        resumed.push(request.headers['last-event-id'], request.headers['mcp-session-id'])
        response.end(`id: e2\ndata: ${answer(7, 'late')}\n\n`)
      }
    })
    expect(await (await post(url, call(7), { 'mcp-session-id': 'one' })).text()).toContain('id: e1')
    const headers = { accept: 'text/event-stream', 'last-event-id': 'e1', 'mcp-session-id': 'one' }
    expect(await (await fetch(url, { headers })).text()).toContain('late')
    expect(resumed).toEqual(['e1', 'one'])
    expect(recording.entries().at(-1)).toMatchObject({
      surface: 'tools/call',
      session: 'one',
      request: { name: 'ask' },
    })
  })

  test('the end of a session', async () => {
    const seen: unknown[] = []
    const { url } = await recorded((request, response) => {
      seen.push(request.method, request.headers['mcp-session-id'])
      response.writeHead(204).end()
    })
    const { status } = await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': 'one' } })
    expect([status, ...seen]).toEqual([204, 'DELETE', 'one'])
  })

  test('each event as soon as it arrives', async () => {
    let next = () => {}
    const { url } = await recorded((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n')
      next = () => void response.end(`data: ${answer(1, 'done')}\n\n`)
    })
    const reader = (await post(url, call(1))).body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('notifications/message')
    next()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('done')
  })
})

describe('a relay records', () => {
  test('requests of the server, and answers to them in another exchange', async () => {
    let finish = () => {}
    const { url, recording } = await recorded(async (request, response) => {
      if ((await text(request)).includes('"result"')) {
        response.writeHead(202).end()
        return finish()
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"jsonrpc":"2.0","id":90,"method":"sampling/createMessage","params":{"maxTokens":5}}\n\n')
      finish = () => void response.end(`data: ${answer(1, 'x')}\n\n`)
    })
    const streamed = await post(url, call(1))
    await post(url, { jsonrpc: '2.0', id: 90, result: { role: 'assistant' } })
    await streamed.text()
    expect(shown(recording.entries())).toEqual([
      'in request tools/call',
      'out request sampling/createMessage',
      'in response sampling/createMessage',
      'out response tools/call',
    ])
  })

  test('a client that hangs up: a cancellation since MCP 2026-07-28', async () => {
    const closed = vi.fn()
    const { url, recording } = await recorded((request, response) => {
      request.resume()
      response.on('close', closed)
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    })
    const abort = new AbortController()
    await post(url, call(4), {}, abort.signal)
    abort.abort()
    await vi.waitFor(() => expect(closed).toHaveBeenCalled())
    await vi.waitFor(() =>
      expect(recording.entries().at(-1)).toMatchObject({
        surface: 'notifications/cancelled',
        content: { requestId: 4 },
        derived: true,
      }),
    )
  })

  test('a server that is gone, with a broken connection for the agent', async () => {
    const { server, url, recording } = await recorded(() => {})
    await server.close()
    await expect(post(url, call(2))).rejects.toThrow('fetch failed')
    expect(shown(recording.entries())).toEqual(['in request tools/call', 'out response tools/call derived'])
  })

  test('a server that breaks off in the middle of its answer', async () => {
    const { url, recording } = await recorded((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{"jsonrpc"')
      setTimeout(() => response.destroy(), 20)
    })
    await expect(post(url, call(3)).then((got) => got.text())).rejects.toThrow('terminated')
    expect(recording.entries().at(-1)).toMatchObject({ flow: 'out', derived: true, surface: 'tools/call' })
  })

  test('an error of HTTP, and text that is not JSON-RPC', async () => {
    const { url, recording } = await recorded((request, response) => {
      request.resume()
      response.writeHead(404, { 'content-type': 'text/plain' }).end('no such session')
    })
    await (await post(url, call(1))).text()
    expect(recording.entries().at(-1)).toMatchObject({
      surface: 'tools/call',
      content: { code: 404, message: 'no such session' },
      derived: true,
    })
  })
})

test('a path that looks like a host is passed on as a path', async () => {
  const paths: unknown[] = []
  const { url } = await recorded((request, response) => {
    request.resume()
    paths.push(request.url)
    response.end()
  })
  const { port } = new URL(url)
  for (const path of ['//', '//a.example:99999/x'])
    await new Promise((resolve) => httpRequest({ port, host: '127.0.0.1', path }, resolve).end())
  expect(paths).toEqual(['//', '//a.example:99999/x'])
})

test('a request for a token at another path of the server is not recorded', async () => {
  const { url, recording } = await recorded((request, response) => {
    request.resume()
    response.end(request.url === '/mcp?v=1' ? answer(1, 'hello') : '{"access_token":"a-t0ken-of-the-server"}')
  })
  await (await post(new URL('/token', url).href, { grant_type: 'authorization_code', code: 'c0de' })).text()
  await (await post(url, call(1))).text()
  expect(shown(recording.entries())).toEqual(['in request tools/call', 'out response tools/call'])
})

describe('a server that asks for a login', () => {
  const guarded = (request: IncomingMessage, response: import('node:http').ServerResponse) => {
    request.resume()
    if (request.headers.authorization === 'Bearer t0ken-of-user')
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(answer(1, 't0ken-of-user'))
    const challenge = 'Bearer resource_metadata="https://real.example/.well-known/oauth-protected-resource"'
    response.writeHead(401, { 'www-authenticate': challenge }).end()
  }

  test('is named once with the reason, and its challenge is passed on', async () => {
    const { url, recording, server } = await recorded(guarded)
    const refused = await post(url, call(1))
    await post(url, call(2))
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toContain('resource_metadata')
    expect(recording.notes).toEqual([
      `main requires a login and is not recorded: OAuth does not accept the recorder's address in place of ${server.url}/mcp; pass a token with --token main=TOKEN`,
    ])
  })

  test('is recorded with a token, which is a placeholder in the files', async () => {
    const { url, recording } = await recorded(guarded, { tokens: { main: 't0ken-of-user' } })
    expect(await (await post(url, call(1))).text()).toContain('t0ken-of-user')
    expect(recording.notes).toEqual([])
    await recording.close('done')
    expect(recording.session()).toContain(`\${MAIN_TOKEN}`)
    expect(recording.session()).not.toContain('t0ken-of-user')
  })

  test('with a token, pages of other sites are refused', async () => {
    const { url } = await recorded(guarded, { tokens: { main: 't0ken-of-user' } })
    expect((await post(url, call(1), { origin: 'https://evil.example' })).status).toBe(403)
  })
})

describe('other protocols', () => {
  test('an A2A agent: its card names the relay, messages are recorded', async () => {
    const server = await serve(async (request, response) => {
      const json = response.setHeader('content-type', 'application/json')
      if (request.method === 'GET') return void json.end(JSON.stringify({ name: 'desk', url: `${server.url}/rpc` }))
      const { id } = JSON.parse(await text(request))
      json.end(
        JSON.stringify({ jsonrpc: '2.0', id, result: { kind: 'message', parts: [{ kind: 'text', text: 'hi' }] } }),
      )
    })
    const recording = await recordIn({ peers: [{ name: 'desk', mode: 'a2a_server', url: new URL(`${server.url}/`) }] })
    const card = await (await fetch(new URL('/.well-known/agent-card.json', recording.addresses.desk))).json()
    expect(card.url).toBe(new URL('/rpc', recording.addresses.desk).href)
    await (await post(card.url, { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message: {} } })).text()
    expect(shown(recording.entries())).toEqual([
      'in request agent_card/get',
      'out response agent_card/get',
      'in request message/send',
      'out response message/send',
    ])
    await recording.close('done')
    expect(recording.session()).toContain(`url: ${server.url}/rpc`)
    expect(recording.session()).toContain('method: message/send')
  })

  test.each([
    ['JSON-RPC', '/rpc', true],
    ['HTTP+JSON', '/message:send', false],
  ])('an A2A 1.0 agent over %s: in the form of 0.3, as documents know it', async (_, path, isRpc) => {
    const server = await serve(async (request, response) => {
      const { id } = JSON.parse(await text(request))
      const result = { message: { role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(isRpc ? { jsonrpc: '2.0', id, result } : result))
    })
    const recording = await recordIn({ peers: [{ name: 'desk', mode: 'a2a_server', url: new URL(`${server.url}/`) }] })
    const params = { message: { role: 'ROLE_USER', parts: [{ text: 'hello' }] } }
    const sent = isRpc ? { jsonrpc: '2.0', id: 1, method: 'SendMessage', params } : params
    const answered = await post(new URL(path, recording.addresses.desk).href, sent, { 'a2a-version': '1.0' })
    expect(await answered.text()).toContain('ROLE_AGENT')
    const message = (role: string, value: string) => ({ kind: 'message', role, parts: [{ kind: 'text', text: value }] })
    expect(recording.entries()).toMatchObject([
      { flow: 'in', direction: 'request', surface: 'message/send', content: { message: message('user', 'hello') } },
      { flow: 'out', direction: 'response', surface: 'message/send', content: message('agent', 'hi') },
    ])
  })

  test('an A2A agent over HTTP+JSON that fails or breaks off', async () => {
    const server = await serve((request, response) => {
      request.resume()
      if (request.url?.startsWith('/tasks')) response.writeHead(404).end('{"error":{"message":"no such task"}}')
      else response.socket?.destroy()
    })
    const recording = await recordIn({ peers: [{ name: 'desk', mode: 'a2a_server', url: new URL(`${server.url}/`) }] })
    const place = (path: string) => new URL(path, recording.addresses.desk).href
    expect((await fetch(place('/tasks/t-7'))).status).toBe(404)
    await expect(post(place('/message:send'), {})).rejects.toThrow()
    expect(recording.entries()).toMatchObject([
      { surface: 'tasks/get', content: { id: 't-7' } },
      { surface: 'tasks/get', direction: 'response', content: { code: 404 } },
      { surface: 'message/send', direction: 'request' },
      { surface: 'message/send', direction: 'response', derived: true },
    ])
  })

  test('an A2A agent whose card has another name of this machine, or leads elsewhere', async () => {
    const server = await serve((_, response) => {
      const { port } = new URL(server.url)
      const card = {
        ...{ name: 'desk', url: `http://localhost:${port}/rpc`, iconUrl: `http://localhost:${port}0/icon` },
        supportedInterfaces: [{ url: `http://0.0.0.0:${port}/rest` }, { url: 'https://desk.example/rpc' }],
      }
      response.end(JSON.stringify(card).replaceAll('/rest', '\\/rest'))
    })
    const { port } = new URL(server.url)
    const recording = await recordIn({ peers: [{ name: 'desk', mode: 'a2a_server', url: new URL(`${server.url}/`) }] })
    const fetchCard = async () =>
      (await fetch(new URL('/.well-known/agent-card.json', recording.addresses.desk))).json()
    const card = await fetchCard()
    expect(card).toMatchObject({
      url: new URL('/rpc', recording.addresses.desk).href,
      iconUrl: `http://localhost:${port}0/icon`,
      supportedInterfaces: [
        { url: new URL('/rest', recording.addresses.desk).href },
        { url: 'https://desk.example/rpc' },
      ],
    })
    await fetchCard()
    expect(recording.notes).toEqual(['desk: its agent card refers to https://desk.example/rpc, which is not recorded'])
  })

  test('a client of AG-UI: the input, the events, and the task of the user', async () => {
    const events = [
      { type: 'RUN_STARTED' },
      { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'pay' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{"to":"x"}' },
      { type: 'TOOL_CALL_END', toolCallId: 'c' },
      { type: 'RUN_FINISHED' },
    ]
    const server = await serve((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
    })
    const recording = await recordIn({
      peers: [{ name: 'ag_ui', mode: 'ag_ui_client', url: new URL(`${server.url}/agent`) }],
    })
    const input = { threadId: 't', runId: 'r', messages: [{ role: 'user', content: 'Pay the bill' }] }
    await (await post(recording.addresses.ag_ui ?? '', input)).text()
    const entries = recording.entries()
    expect(shown(entries.filter(({ derived }) => !derived))).toEqual([
      'out request run_agent_input',
      'in response run_started',
      'in response tool_call_start',
      'in response tool_call_args',
      'in response tool_call_end',
      'in response run_finished',
    ])
    expect(entries.find(({ surface }) => surface === 'tool_call_end')?.arguments).toBe('{"to":"x"}')
    await recording.close('done')
    expect(recording.session()).toContain('task: Pay the bill')
  })
})
