/**
 * No packet leaves for a host that was not named: the built command in a network namespace where every packet is
 * inspected.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { SERVER, USER } from '../run/documents.ts'
import { binary } from '../spawned.ts'
import { AGENT, EVERY_FORMAT, folder } from '../world.ts'

const namespace = fileURLToPath(new URL('namespace.mjs', import.meta.url))
const possible =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-rn', 'ip', 'link', 'set', 'lo', 'up']).status === 0 &&
  spawnSync('python3', ['--version']).status === 0
if (!possible)
  console.warn('SKIPPED: no network namespace here (unshare -rn, ip, python3), so nothing is said of hosts')

interface Told {
  readonly told: readonly { readonly code: number; readonly output: string; readonly strangers: readonly string[] }[]
  readonly asked: readonly string[]
}

const MODELS = ['openai/m', 'openai-chat/m', 'anthropic/m', 'google/m', 'openai-compatible/m', 'sim/credulous']
const PROJECT = `attacks: [server.oatf.yaml, user.oatf.yaml]
out: out
targets:
${MODELS.map((model) => `  ${model.replace('/', '-')}: { model: ${model} }`).join('\n')}
  program: { exec: ${JSON.stringify(`${process.execPath} -e 0`)} }
`

function alone(cwd: string, commands: readonly (readonly string[])[]): Told {
  const keys = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k', NO_COLOR: '1' }
  const argv = ['-rn', process.execPath, namespace, JSON.stringify(commands)]
  const { stdout, stderr } = spawnSync('unshare', argv, {
    cwd,
    env: { PATH: process.env.PATH, ...keys },
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

test.runIf(possible)(
  'suites, models and reports contact no other host, and a request to one is detected',
  {
    timeout: 120_000,
  },
  () => {
    const files = {
      'server.oatf.yaml': SERVER,
      'user.oatf.yaml': USER,

      'joust.yaml': PROJECT,
    }
    const cwd = folder({ ...files, 'a.agf.yaml': AGENT.replace('model: any', 'model: openai/m') })
    const ask = (url: string) => ['-e', `fetch(${JSON.stringify(url)}).catch(() => {})`]
    const { told, asked } = alone(cwd, [
      ask('https://telemetry.example/'),
      ask('http://198.51.100.7:9999/'),
      ask('http://[2001:db8::7]:9999/'),
      // The providers here speak and call no tools.
      [binary, 'run', '--grace', '0', '--report', EVERY_FORMAT, '--no-preflight'],
      [binary, 'report', 'out', '--format', 'html'],
      [binary, 'agent', 'run', 'a.agf.yaml', '-i', '"hello"'],
      [binary, 'validate', 'server.oatf.yaml'],
    ])
    const [name, address, newer, ...ours] = told
    expect(name?.strangers).toEqual(expect.arrayContaining([expect.stringMatching(/ 53$/)]))
    expect(address?.strangers).toContain('198.51.100.7 9999')
    expect(newer?.strangers).toContain('2001:db8::7 9999')
    expect(ours.map(({ strangers }) => strangers)).toEqual([[], [], [], []])
    expect(ours.map(({ code }) => code).slice(1)).toEqual([0, 0, 0])
    expect(ours[0]?.output).toMatch(/^exploited .*Weather that asks for a letter/m)
    // Every provider was called, at the address that was named.
    expect(asked).toEqual(expect.arrayContaining(['/v1/responses', '/v1/chat/completions', '/v1/messages']))
    expect(asked).toContainEqual(expect.stringMatching(/^\/v1beta\/models\/m:/))
  },
)
