/** What programs that Joust starts see of the environment: what they need to run, and what the user passes on. */
import { chmodSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SERVER } from '../run/documents.ts'
import { folder, joust } from '../world.ts'

/** Writes its environment to a file next to itself; makes no connection. */
const PRINT = `require('node:fs').writeFileSync(require('node:path').join(__dirname, 'seen.json'), JSON.stringify(process.env))`

/** A client that initializes, so that the command is started. */
const CLIENT = `oatf: "0.1"
attack:
  id: TEST-004
  execution: { mode: mcp_client, state: { actions: [{ method: tools/list }] } }
  indicators:
    - { surface: tools/list, direction: response, target: "tools[*].name", pattern: { contains: x } }
`

const keys = {
  OPENAI_API_KEY: 'k-openai',
  ANTHROPIC_API_KEY: 'k-anthropic',
  GEMINI_API_KEY: 'k-gemini',
  GOOGLE_GENERATIVE_AI_API_KEY: 'k-google',
  OPENAI_COMPATIBLE_API_KEY: 'k-compatible',
}
const env = {
  ...{ PATH: process.env.PATH, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TZ: 'UTC', HOME: homedir(), USER: 'me' },
  ...{ AWS_SECRET_ACCESS_KEY: 'aws', NODE_OPTIONS: '--no-warnings', LD_LIBRARY_PATH: '/x', WANTED: 'yes', ...keys },
  OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
}

const ways = {
  '--exec': (program: string) => ['run', 'server.oatf.yaml', '--exec', program],
  '--acp': (program: string) => ['run', 'server.oatf.yaml', '--acp', program],
  '--target mcp=…': (program: string) => ['run', 'client.oatf.yaml', '--target', `mcp=${program}`],
}

async function seenBy(way: keyof typeof ways, ...words: readonly string[]): Promise<Record<string, string>> {
  const cwd = folder({ 'server.oatf.yaml': SERVER, 'client.oatf.yaml': CLIENT, 'print.cjs': PRINT })
  const argv = ways[way](`${process.execPath} ${join(cwd, 'print.cjs')}`)
  const limits = ['--grace', '0', '--max-duration', '10s', '--no-preflight', '--quiet', '--out', 'out']
  await joust([...argv, ...limits, ...words], { cwd, env })
  return JSON.parse(readFileSync(join(cwd, 'seen.json'), 'utf8'))
}

/** What Joust itself passes to a program. */
const told = /^(HOME|USERPROFILE|TMPDIR|TMP|TEMP|TERM|NO_COLOR|PROMPT|MCP_CONFIG|A2A_CONFIG|DEFAULT_URL)$/

describe.each(Object.keys(ways) as (keyof typeof ways)[])('%s', (way) => {
  test('PATH, the locale and its own home, and no other variables', async () => {
    const seen = await seenBy(way)
    expect(
      Object.keys(seen)
        .filter((name) => !told.test(name))
        .sort(),
    ).toEqual(['LANG', 'LC_ALL', 'PATH', 'TZ'])
    expect(seen.HOME).not.toBe(homedir())
    for (const secret of ['aws', ...Object.values(keys)]) expect(Object.values(seen)).not.toContain(secret)
  })

  test('what --pass-env names, and the home with --use-home', async () => {
    const seen = await seenBy(way, '--pass-env', 'WANTED', '--use-home')
    expect(seen).toMatchObject({ WANTED: 'yes', HOME: homedir() })
    expect(seen.AWS_SECRET_ACCESS_KEY).toBeUndefined()
  })
})

test('the key of a model reaches the preset that needs it, and no other key does', async () => {
  const cwd = folder({ 'a.oatf.yaml': SERVER, 'bin/codex': `#!${process.execPath}\n${PRINT}` })
  chmodSync(join(cwd, 'bin/codex'), 0o755)
  const argv = ['run', 'a.oatf.yaml', '--exec', 'codex', '--no-preflight', '--grace', '0', '--quiet', '--out', 'out']
  await joust(argv, { cwd, env: { ...env, PATH: `${join(cwd, 'bin')}:${env.PATH}` } })
  const seen: Record<string, string> = JSON.parse(readFileSync(join(cwd, 'bin/seen.json'), 'utf8'))
  expect(Object.keys(seen).filter((name) => Object.hasOwn(keys, name))).toEqual(['OPENAI_API_KEY'])
  expect(seen.AWS_SECRET_ACCESS_KEY).toBeUndefined()
})
