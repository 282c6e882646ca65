import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageWithHint } from '@joust/source'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadBindings } from '../../src/config/load-bindings.ts'
import { PROJECT_FILE } from '../../src/config/shape.ts'
import { never } from '../support/mcp.ts'

const fixtures = fileURLToPath(new URL('../fixtures/config/', import.meta.url))

let home = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'joust-config-'))
})
afterEach(() => rm(home, { recursive: true }))

/** A project file with nothing but bindings. */
function bindings(text: string): string {
  return `bindings:\n${text.replaceAll(/^(?=.)/gm, '  ')}`
}

async function load(text: string, environment: Record<string, string> = {}) {
  const path = join(home, PROJECT_FILE)
  await writeFile(path, bindings(text))
  return loadBindings(path, { environment })
}

/** A fixture's module, as a path relative to the configuration. */
function module(name: string): string {
  return relative(home, join(fixtures, name))
}

/** The findings as `line:column code path message`. */
async function faults(text: string, environment: Record<string, string> = {}): Promise<string[]> {
  const loaded = await load(text, environment)
  if (loaded.ok) return []
  return loaded.error.map((found) => {
    const { line = 0, column = 0, code, path = '' } = found
    // As if the bindings were the whole file.
    return `${line - 1}:${column - 2} ${code} ${path.replace(/^bindings\.?/, '')} | ${messageWithHint(found)}`
  })
}

describe('a configuration', () => {
  test('binds servers by command, relative to the configuration', async () => {
    const text = `
mcp_servers:
  files:
    command: ./bin/server
    args: [--root, data]
    env: { TOKEN: "\${TOKEN}" }
    timeout_seconds: 2.5
  org.example.search:
    command: npx
    cwd: elsewhere
`
    const loaded = await load(text, { TOKEN: 't0ken' })
    expect(loaded).toMatchObject({
      ok: true,
      value: {
        mcpServers: {
          files: {
            command: join(home, 'bin/server'),
            args: ['--root', 'data'],
            env: { TOKEN: 't0ken' },
            cwd: home,
            timeoutMs: 2500,
            secrets: ['t0ken'],
          },
          'org.example.search': { command: 'npx', args: [], cwd: join(home, 'elsewhere') },
        },
      },
    })
  })

  test('binds servers and remote agents by URL, with headers', async () => {
    const text = `
mcp_servers:
  api: { url: "https://\${HOST}/mcp", headers: { Authorization: "Bearer \${KEY}", X-Price: "$\${5}" } }
remote_agents:
  critic: { url: "http://127.0.0.1:4000" }
`
    const loaded = await load(text, { HOST: 'api.example.org', KEY: 'k3y' })
    expect(loaded).toMatchObject({
      ok: true,
      value: {
        mcpServers: {
          api: {
            url: 'https://api.example.org/mcp',
            headers: { Authorization: 'Bearer k3y', 'X-Price': `\${5}` },
            secrets: ['api.example.org', 'k3y'],
          },
        },
        remoteAgents: { critic: { url: 'http://127.0.0.1:4000', headers: {} } },
      },
    })
  })

  test('replaces models', async () => {
    const loaded = await load('models:\n  openai/gpt-x: sim/credulous\n')
    expect(loaded).toMatchObject({ ok: true, value: { models: { 'openai/gpt-x': 'sim/credulous' } } })
  })

  test('loads tools from the exports of a module', async () => {
    const loaded = await load(`module: ${module('tools.mjs')}\n`)
    const tools = loaded.ok ? (loaded.value.tools ?? {}) : {}
    expect(Object.keys(tools).sort()).toEqual(['__proto__', 'count', 'shout'])
    expect(tools.shout?.call({ text: 'hey' }, { signal: never })).toBe('HEY')
    expect(tools.count).toMatchObject({
      description: 'Counts letters.',
      repeatable: true,
      inputSchema: { required: ['text'] },
    })
    expect(tools.shout?.repeatable).toBeUndefined()
    expect(tools.count?.call({ text: 'abc' }, { signal: never })).toEqual({ letters: 3, calls: 1 })
  })

  test('prefers a tool by alias to the whole module', async () => {
    const text = `
module: ${module('tools.mjs')}
tools:
  count: { module: ${module('tools.mjs')}, export: shout }
`
    const loaded = await load(text)
    expect(loaded.ok && loaded.value.tools?.count?.call({ text: 'hey' }, { signal: never })).toBe('HEY')
  })

  test('may have empty sections', async () => {
    expect(await load('mcp_servers:\ntools: {}\n')).toEqual({
      ok: true,
      value: { models: {}, tools: {}, mcpServers: {}, remoteAgents: {}, transforms: {}, policies: {}, prices: {} },
    })
  })

  test('accepts aliases with names of prototype properties', async () => {
    const loaded = await load('remote_agents:\n  __proto__: { url: "http://localhost" }\n')
    expect(loaded.ok && Object.keys(loaded.value.remoteAgents ?? {})).toEqual(['__proto__'])
    expect(loaded.ok && loaded.value.remoteAgents).not.toHaveProperty('url')
  })
})

describe('reports all problems at once', () => {
  test('unknown fields, with a suggestion', async () => {
    expect(await faults('mcp_server: {}\nremote_agents:\n  a: { url: "http://localhost", header: {} }\n')).toEqual([
      '1:1 unknown_field mcp_server | unknown field "mcp_server". Did you mean "mcp_servers"?',
      '3:33 unknown_field remote_agents.a.header | unknown field "header". Did you mean "headers"?',
    ])
  })

  test('values of the wrong type', async () => {
    const text = `
models: { a: 7, b: "" }
tools:
  1st: { module: 5 }
  two: nothing
  three: {}
mcp_servers:
  a: [x]
  b: { command: run, args: run, env: { A: true } }
  c: { command: run, url: "http://localhost" }
  d: { timeout_seconds: 0 }
  e: { url: "ftp://example.org", timeout_seconds: 0 }
  f: { url: nowhere }
  g: { url: "https://me:secret@example.org" }
  h: { url: "http://localhost", headers: { "a b": x } }
remote_agents:
  r: { headers: {} }
  s: { command: run }
`
    expect(await faults(text)).toEqual([
      '2:14 config_invalid models.a | expected a string, got an integer; put it in quotes',
      '2:20 config_invalid models.b | expected a non-empty string',
      '4:3 config_invalid tools.1st | invalid alias "1st", expected letters, digits and underscores, not starting with a digit',
      '4:18 config_invalid tools.1st.module | expected a string, got an integer; put it in quotes',
      '5:8 config_invalid tools.two | expected a mapping, got a string',
      '6:3 config_invalid tools.three | missing required field "module"',
      '8:6 config_invalid mcp_servers.a | expected a mapping, got a list',
      '9:28 config_invalid mcp_servers.b.args | expected a list of strings',
      '9:43 config_invalid mcp_servers.b.env.A | expected a string, got a boolean; put it in quotes',
      '10:3 config_invalid mcp_servers.c | expected one of "command" and "url", got both',
      expect.stringMatching(/^11:3 config_invalid mcp_servers\.d \| .*got neither$/),
      '12:13 config_invalid mcp_servers.e.url | unsupported protocol ftp:, expected http://… or https://…',
      '12:51 config_invalid mcp_servers.e.timeout_seconds | expected a number of seconds greater than 0 and at most 86400',
      '13:13 config_invalid mcp_servers.f.url | invalid URL, expected http://… or https://…',
      '14:13 config_invalid mcp_servers.g.url | credentials in the URL are not supported; use "headers"',
      '15:44 config_invalid mcp_servers.h.headers.a b | invalid HTTP header',
      '17:3 config_invalid remote_agents.r | missing required field "url"',
      '18:3 config_invalid remote_agents.s | missing required field "url"',
      '18:8 unknown_field remote_agents.s.command | unknown field "command".',
    ])
  })

  test('missing and invalid variables', async () => {
    const text = `
mcp_servers:
  a: { command: run, env: { A: "\${MISSING}-\${ALSO_MISSING}", B: "\${SET}" } }
  b: { url: "http://localhost", headers: { k: "\${KEY:-default}", l: "\${OPEN" } }
`
    expect(await faults(text, { SET: 'secret-value' })).toEqual([
      '3:32 missing_variable mcp_servers.a.env.A | the environment variable MISSING is not set',
      '3:32 missing_variable mcp_servers.a.env.A | the environment variable ALSO_MISSING is not set',
      `4:47 config_invalid mcp_servers.b.headers.k | invalid variable "\${KEY:-default}"; expected \${NAME}`,
      `4:69 config_invalid mcp_servers.b.headers.l | invalid variable "\${OPEN"; expected \${NAME}`,
    ])
  })

  test('without the values of variables', async () => {
    const environment = { URL: 'ftp://s3cret.example.org', HEADER: 'line\nbreak s3cret' }
    const text = `mcp_servers:\n  a: { url: "\${URL}", headers: { k: "\${HEADER}" } }\n`
    const found = await faults(text, environment)
    expect(found).toHaveLength(2)
    expect(found.join()).not.toContain('s3cret')
  })

  test('names of prototype properties are not variables', async () => {
    expect(await faults(`mcp_servers:\n  a: { command: "\${constructor}" }\n`)).toEqual([
      '2:17 missing_variable mcp_servers.a.command | the environment variable constructor is not set',
    ])
  })

  test('modules that are missing, fail to load, or lack an export', async () => {
    const text = `
module: ./none.mjs
tools:
  a: { module: ${module('failing.mjs')} }
  shouts: { module: ${module('tools.mjs')} }
  b: { module: ${module('tools.mjs')}, export: constant }
`
    const found = await faults(text)
    expect(found).toHaveLength(4)
    expect(found[0]).toMatch(/^2:9 module_failed module \| cannot load the module: .*none\.mjs/)
    expect(found[1]).toMatch(/^4:6 module_failed tools\.a \| cannot load the module: this module does not load/)
    expect(found[2]).toBe(
      '5:3 module_failed tools.shouts | the module exports no function or tool "shouts". Did you mean "shout"?',
    )
    expect(found[3]).toMatch(/^6:3 module_failed tools\.b \| .*"constant"\./)
  })

  test('the importer of a missing module, unless it is the runtime', async () => {
    await writeFile(join(home, 'importer.mjs'), "import 'a-package-that-is-not-there'\n")
    const [none, nested] = await faults('module: ./none.mjs\ntools:\n  a: { module: ./importer.mjs }\n')
    expect(none).toContain('none.mjs')
    expect(none).not.toContain('load-tools')
    expect(nested).toContain('a-package-that-is-not-there')
  })

  test('tools with an invalid description', async () => {
    const found = await faults(`module: ${module('bad-tools.mjs')}\n`)
    expect(found).toEqual([
      expect.stringContaining('tool "odd": description must be a string'),
      expect.stringContaining('tool "odd": repeatable must be a boolean'),
      expect.stringContaining('tool "unfit": inputSchema is not a valid JSON Schema'),
    ])
  })
})

describe('an unreadable configuration', () => {
  test('is not YAML', async () => {
    expect(await load('mcp_servers: [\n')).toMatchObject({
      ok: false,
      error: [{ code: 'config_syntax', line: expect.any(Number), file: join(home, PROJECT_FILE) }],
    })
  })

  test('is a list', async () => {
    expect(await faults('- a\n')).toEqual(['1:1 config_invalid  | expected a mapping, got a list'])
  })

  test('is missing or a directory', async () => {
    const missing = await loadBindings(join(home, 'none.yaml'))
    expect(missing).toMatchObject({ ok: false, error: [{ code: 'config_unreadable', file: join(home, 'none.yaml') }] })
    expect(await loadBindings(dirname(home))).toMatchObject({ ok: false, error: [{ code: 'config_unreadable' }] })
  })
})
