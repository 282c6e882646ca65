import { fileURLToPath } from 'node:url'
import { createSecretHider, listServers, readSession, readToolsFile } from '@joust/authoring'
import type { Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { serve } from '../record/support.ts'

const script = fileURLToPath(new URL('server.mjs', import.meta.url))
const server = (way: string, env: Record<string, string> = {}) => ({
  name: way,
  command: [process.execPath, script, way],
  env,
})
const list = (way: string, call: string[] = []) =>
  listServers([server(way)], { call, signal: new AbortController().signal })

describe('a live server', () => {
  test('is listed and not called', async () => {
    const { servers, failed } = await list('plain')
    expect(failed).toBe(0)
    expect(servers[0]).toMatchObject({ name: 'plain', version: '2025-06-18' })
    expect(servers[0]?.tools.map(({ name }) => name)).toEqual(['read_email', 'send_email'])
    expect(servers[0]?.calls).toBeUndefined()
  })

  test('is called where that is allowed', async () => {
    const { servers } = await list('plain', ['read_email'])
    expect(servers[0]?.calls).toMatchObject([
      { name: 'read_email', arguments: { id: '11' }, result: { content: [{}] } },
    ])
  })

  test('that crashes is named, and the others are listed', async () => {
    const { servers, notes, failed } = await listServers([server('crash'), server('plain')], {
      signal: new AbortController().signal,
    })
    expect(servers.map(({ name }) => name)).toEqual(['plain'])
    expect(failed).toBe(1)
    expect(notes[0]).toMatch(/^crash: the server disconnected: .*3/)
  })

  test('that hangs is given up', async () => {
    const { notes, failed } = await list('hang')
    expect(failed).toBe(1)
    expect(notes).toEqual(['hang: no response to initialize within 10 seconds'])
  }, 30_000)

  test('that cannot be started is named', async () => {
    const { notes } = await listServers([{ name: 'gone', command: ['/does/not/exist'] }], {
      signal: new AbortController().signal,
    })
    expect(notes[0]).toMatch(/^gone: cannot start/)
  })

  test('with 5,000 tools is listed', async () => {
    const { servers } = await list('many')
    expect(servers[0]?.tools).toHaveLength(5000)
  })

  test('whose pages never end is listed until a page repeats', async () => {
    const { servers } = await list('endless')
    expect(servers[0]?.tools).toHaveLength(4)
  })

  test('without a handshake, since 2026-07-28, is listed', async () => {
    const { servers, notes } = await list('modern')
    expect(notes).toEqual([])
    expect(servers[0]).toMatchObject({ version: '2026-07-28', instructions: 'Be brief.' })
    expect(servers[0]?.tools.map(({ name }) => name)).toEqual(['read_email', 'send_email'])
  })

  test('that changes its tools in the meantime is listed again', async () => {
    const { servers, notes } = await list('changing')
    expect(servers[0]?.tools.map(({ name }) => name)).toEqual(['send_email'])
    expect(notes).toContain('changing: the tools changed during the listing; the last list is used')
  })

  test('that changes its tools all the time is given up after a few lists', async () => {
    const { servers, notes } = await list('restless')
    expect(servers[0]?.tools).toHaveLength(2)
    expect(notes.join()).toMatch(/the tool list keeps changing/)
  })

  test('with invalid tools is listed without them', async () => {
    const { servers, notes } = await list('invalid')
    expect(servers[0]?.tools.map(({ name }) => name)).toEqual(['read_email', 'send_email', 'odd', 'list'])
    expect(notes).toEqual(
      expect.arrayContaining([
        'invalid: the input schema of odd is not an object schema; its arguments are unknown',
        'invalid: omitted 2 tools without a name',
        'invalid: duplicate tool read_email; the first one is used',
      ]),
    )
  })
})

interface Posted {
  readonly method: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly rpc?: { readonly id?: number; readonly method: string; readonly params?: Value }
}

/** A server on loopback; `answer` returns a status, or the result or error of a request. */
async function listHttp(answer: (posted: Posted) => number | object, isStream: boolean, call: string[] = []) {
  const posts: Posted[] = []
  const { url } = await serve((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      const { method = '', headers } = request
      const posted: Posted = { method, headers, ...(body !== '' && { rpc: JSON.parse(body) }) }
      posts.push(posted)
      const content = posted.rpc?.id === undefined ? 202 : answer(posted)
      if (typeof content === 'number') {
        response.writeHead(content).end()
        return
      }
      const text = JSON.stringify({ jsonrpc: '2.0', id: posted.rpc?.id, ...content })
      const changed = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
      const isFirst = posts.filter(({ rpc }) => rpc?.method === 'tools/list').length === 1
      const before = isFirst && posted.rpc?.method === 'tools/list' ? `data: ${changed}\n\n` : ''
      response.writeHead(200, {
        'content-type': isStream ? 'text/event-stream' : 'application/json',
        ...(posted.rpc?.method === 'initialize' && { 'mcp-session-id': 's-1' }),
      })
      response.end(isStream ? `${before}data: ${text}\n\n` : text)
    })
  })
  const entry = { name: 'web', url: `${url}/mcp`, headers: { authorization: 'Bearer t' } }
  return { posts, ...(await listServers([entry], { call, signal: new AbortController().signal })) }
}

describe('a server over Streamable HTTP', () => {
  const tools = [{ name: 'read_email', inputSchema: { type: 'object' } }]
  const older = ({ rpc }: Posted) =>
    rpc?.method === 'initialize'
      ? { result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x' } } }
      : { result: { tools } }

  test.each([false, true])('is listed with its session, version and headers (as a stream: %s)', async (isStream) => {
    const { servers, notes, posts } = await listHttp(older, isStream)
    expect(servers).toEqual([{ name: 'web', protocol: 'mcp', version: '2025-06-18', tools }])
    expect(notes).toEqual(isStream ? [expect.stringMatching(/^web: the tools changed/)] : [])
    const [, ...later] = posts
    for (const { headers } of later)
      expect(headers).toMatchObject({
        authorization: 'Bearer t',
        'mcp-session-id': 's-1',
        'mcp-protocol-version': '2025-06-18',
      })
    expect(posts.map(({ method, rpc }) => rpc?.method ?? method)).toEqual([
      'initialize',
      'notifications/initialized',
      ...(isStream ? ['tools/list', 'tools/list'] : ['tools/list']),
      'DELETE',
    ])
  })

  test('without a handshake, since 2026-07-28, is listed', async () => {
    const modern = ({ headers, rpc }: Posted) => {
      if (headers['mcp-protocol-version'] !== '2026-07-28' || headers['mcp-method'] !== rpc?.method) return 400
      if (rpc?.method === 'server/discover')
        return { result: { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } } }
      if (rpc?.method === 'tools/call' && headers['mcp-name'] !== 'read_email') return 400
      return { result: rpc?.method === 'tools/list' ? { tools } : { content: [] } }
    }
    const { servers, notes, posts } = await listHttp(modern, false, ['read_email'])
    expect(notes).toEqual([])
    expect(servers).toMatchObject([{ version: '2026-07-28', tools, calls: [{ result: { content: [] } }] }])
    expect(posts.map(({ rpc }) => rpc?.method)).toEqual(['initialize', 'server/discover', 'tools/list', 'tools/call'])
  })

  test('that refuses is named with the status of its first answer', async () => {
    const { servers, notes } = await listHttp(({ rpc }) => (rpc?.method === 'initialize' ? 401 : 404), false)
    expect(servers).toEqual([])
    expect(notes).toEqual(['web: the server answered with HTTP status 401'])
  })
})

test('secrets of a configuration become placeholders', async () => {
  const { servers } = await listServers([server('secret', { MAIL_TOKEN: 'tops3cretvalue' })], {
    signal: new AbortController().signal,
  })
  const hider = createSecretHider({ MAIL_TOKEN: 'tops3cretvalue' })
  const hidden = hider.session({ joust_session: 1, servers })
  expect(hidden.servers[0]?.tools[0]?.description).toBe(`Reads mail with \${MAIL_TOKEN}.`)
})

describe('a session file', () => {
  const text = `joust_session: 1
servers:
  - name: mail
    protocol: mcp
    tools:
      - name: send_email
        x-own: 1
`
  test('is read', () => {
    expect(readSession(text)).toMatchObject({ ok: true, value: { servers: [{ tools: [{ name: 'send_email' }] }] } })
  })

  test.each([
    [text.replace('joust_session: 1', 'joust_session: 2'), 1, /unknown version 2/],
    [text.replace('protocol: mcp', 'protocol: ftp'), 4, /ftp/],
    [text.replace('    protocol: mcp\n', ''), 3, /protocol/],
    [`${text}      - name: send_email\n`, 8, /duplicate tool "send_email"/],
    [`${text}  - { name: mail, protocol: mcp, tools: [] }\n`, 8, /duplicate server "mail"/],
    [text.replace('servers:', 'server:'), 2, /server/],
    ['[', 1, /./],
  ])('with errors is refused with positions (%#)', (wrong, line, message) => {
    const read = readSession(wrong)
    const found = read.ok ? [] : read.error
    expect(
      found.some((one) => one.line === line && message.test(one.message)),
      JSON.stringify(found),
    ).toBe(true)
  })
})

describe('a list of tools', () => {
  test.each([
    ['[{"name": "send_email", "inputSchema": {"type": "object"}}]', 'tools'],
    ['{"tools": [{"type": "function", "function": {"name": "send_email", "parameters": {}}}]}', 'tools'],
    ['[{"server": "mail", "tools": [{"name": "send_email"}]}]', 'mail'],
  ])('is read: %s', (text, name) => {
    const read = readToolsFile(text, 'tools')
    expect(read.ok && read.value.servers).toMatchObject([{ name, tools: [{ name: 'send_email' }] }])
  })

  test.each(['{}', '7', '[]', '[1, 2]', '{"tools": 3}', '[{"tools": []}, 4]'])('%s is refused', (text) => {
    expect(readToolsFile(text, 'tools').ok).toBe(false)
  })
})
