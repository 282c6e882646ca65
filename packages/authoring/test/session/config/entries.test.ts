import { describe, expect, test } from 'vitest'
import { rewriteConfig } from '../../../src/session/config/entries.ts'
import type { ServerEntry } from '../../../src/session/config/server-entry.ts'

/** Wraps commands and moves addresses, as the recorder does. */
const wrap = ({ command, url }: ServerEntry) =>
  command === undefined
    ? { url: url?.replace('https://real.example', 'http://127.0.0.1:1') ?? '' }
    : { command: ['shim', '--', ...command] }

function rewrite(path: string, text: string) {
  const result = rewriteConfig(path, text, wrap)
  if (!result.ok) throw new Error(result.error)
  return result.value
}

describe('in JSON, the place of a server is taken and all else stays', () => {
  test('mcpServers: commands, addresses and headers', () => {
    const text = JSON.stringify({
      other: [1],
      mcpServers: {
        a: { command: 'npx', args: ['-y', 'x'], env: { API_KEY: 'k' }, cwd: '/tmp' },
        b: { type: 'http', url: 'https://real.example/mcp', headers: { Authorization: 'Bearer y' } },
        c: { serverUrl: 'https://real.example/c' },
      },
    })
    expect(JSON.parse(rewrite('mcp.json', text).text)).toEqual({
      other: [1],
      mcpServers: {
        a: { command: 'shim', args: ['--', 'npx', '-y', 'x'], env: { API_KEY: 'k' }, cwd: '/tmp' },
        b: { type: 'http', url: 'http://127.0.0.1:1/mcp', headers: { Authorization: 'Bearer y' } },
        c: { serverUrl: 'http://127.0.0.1:1/c' },
      },
    })
  })

  test('Gemini: httpUrl', () => {
    const text = '{"security":{},"mcpServers":{"a":{"httpUrl":"https://real.example/mcp","trust":true}}}'
    expect(JSON.parse(rewrite('settings.json', text).text).mcpServers.a).toEqual({
      httpUrl: 'http://127.0.0.1:1/mcp',
      trust: true,
    })
  })

  test('VS Code: comments, inputs, trailing commas', () => {
    const text = `{
      // asked once
      "inputs": [{ "type": "promptString", "id": "key", "description": "a // b", }],
      "servers": { "a": { "command": "node", "args": ["s.js"], "env": { "KEY": "\${input:key}" } /* own */ }, },
    }`
    expect(JSON.parse(rewrite('.vscode/mcp.json', text).text)).toEqual({
      inputs: [{ type: 'promptString', id: 'key', description: 'a // b' }],
      servers: { a: { command: 'shim', args: ['--', 'node', 's.js'], env: { KEY: `\${input:key}` } } },
    })
  })

  test('opencode: a command is one list; a server that is off stays as it is', () => {
    const text = JSON.stringify({
      mcp: {
        a: { type: 'local', command: ['node', 's.js'], environment: { TOKEN: 't' } },
        b: { type: 'local', command: ['x'], enabled: false },
        c: { type: 'remote', url: 'https://real.example/mcp' },
      },
    })
    const { servers, text: rewritten } = rewrite('opencode.json', text)
    expect(JSON.parse(rewritten).mcp).toEqual({
      a: { type: 'local', command: ['shim', '--', 'node', 's.js'], environment: { TOKEN: 't' } },
      b: { type: 'local', command: ['x'], enabled: false },
      c: { type: 'remote', url: 'http://127.0.0.1:1/mcp' },
    })
    expect(servers[0]?.env).toEqual({ TOKEN: 't' })
  })
})

describe('in the TOML of Codex, only the lines of a server change', () => {
  test('a server that is off stays as it is', () => {
    const text = '[mcp_servers.a]\ncommand = "node"\nenabled = false # for now\n[mcp_servers.b]\nenabled = true\n'
    const { servers, text: rewritten } = rewrite('config.toml', text)
    expect([rewritten, servers.map(({ isOff }) => isOff)]).toEqual([text, [true, undefined]])
  })

  const text = `# my settings
model = "gpt"
[mcp_servers.a] # the first
command = "npx" # npm
args = [
  "-y", # yes
  'x[1]',
]
startup_timeout_sec = 20

[mcp_servers.a.env]
API_KEY = "k1"
[mcp_servers."b c"]
url = "https://real.example/mcp"
http_headers = { "X-Key" = "v", Other = 'w' }
[mcp_servers.c]
command = 'node'
[other]
command = "untouched"
`

  test('a command, its arguments over several lines, an address, a command without arguments', () => {
    expect(rewrite('config.toml', text).text).toBe(`# my settings
model = "gpt"
[mcp_servers.a] # the first
command = "shim" # npm
args = ["--", "npx", "-y", "x[1]"]
startup_timeout_sec = 20

[mcp_servers.a.env]
API_KEY = "k1"
[mcp_servers."b c"]
url = "http://127.0.0.1:1/mcp"
http_headers = { "X-Key" = "v", Other = 'w' }
[mcp_servers.c]
command = "shim"
args = ["--", "node"]
[other]
command = "untouched"
`)
  })

  test('the folder, variables of the environment and headers from them are read', () => {
    const more = `[mcp_servers.a]
command = "node"
cwd = "servers"
env_vars = ["A_TOKEN", "B"]
[mcp_servers.b]
url = "https://real.example/mcp"
bearer_token_env_var = "B_TOKEN"
env_http_headers = { "X-Org" = "ORG" }
`
    const [a, b] = rewrite('config.toml', more).servers
    expect(a).toMatchObject({ cwd: 'servers', env: { A_TOKEN: `\${A_TOKEN:-}`, B: `\${B:-}` } })
    expect(b?.headers).toEqual({ Authorization: `Bearer \${B_TOKEN}`, 'X-Org': `\${ORG}` })
  })

  test('variables and headers are read', () => {
    const [a, b] = rewrite('config.toml', text).servers
    expect([a?.env, b?.headers]).toEqual([{ API_KEY: 'k1' }, { 'X-Key': 'v', Other: 'w' }])
  })
})

describe('refuses, with the reason', () => {
  test.each([
    ['mcp.json', '{', 'not JSON'],
    ['mcp.json', '{"a":1}', 'no MCP servers: expected "mcpServers"'],
    ['mcp.json', '{"mcpServers":[]}', 'no MCP servers'],
    ['mcp.json', '{"__proto__":{"mcpServers":{"a":{}}}}', 'no MCP servers'],
    ['config.toml', 'model = "x"', 'no MCP servers: expected a table [mcp_servers.NAME]'],
  ])('%s: %s', (path, text, reason) => {
    const result = rewriteConfig(path, text, wrap)
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining(reason) })
  })
})
