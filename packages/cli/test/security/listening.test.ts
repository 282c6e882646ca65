/** Who may talk to what listens, what ends with a run, and what must not reach a CI. */
import { existsSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { run } from '../../src/main.ts'
import { SELF_PLAY, SERVER, WIRE } from '../run/documents.ts'
import { AGENT, folder, joust, memoryIo } from '../world.ts'

test('--listen beyond loopback warns, on loopback it does not', async () => {
  const cwd = folder({ 'a.oatf.yaml': SELF_PLAY })
  const at = async (host: string, ...more: readonly string[]) =>
    (await joust(['run', 'a.oatf.yaml', ...WIRE, '--dry-run', '--listen', `server=${host}:0`, ...more], { cwd })).stderr
  expect(await at('0.0.0.0')).toContain(
    'any client that can connect to 0.0.0.0:0 can talk to the actor; use --listen-token',
  )
  expect(await at('0.0.0.0', '--listen-token', 'open-sesame')).toContain('any client with the token')
  expect(await at('127.0.0.1')).not.toContain('any client')
})

/** An address of this machine that is not loopback. */
const outside = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address

function statusOf(host: string, port: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host, port, path: '/mcp', method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

test('--listen beyond loopback checks Host and Origin, and asks strangers for the token', async () => {
  const cwd = folder({ 'a.oatf.yaml': SERVER })
  const stop = new AbortController()
  const { io, stderr } = memoryIo({ cwd, interruption: stop.signal })
  const words = ['--listen', 'default=0.0.0.0:0', '--listen-token', 'open-sesame', '--allow-host', 'named.example']
  const ended = run(['run', 'a.oatf.yaml', ...words, '--max-duration', '60s', '--out', 'out'], io)
  const place = /listens at http:\/\/0\.0\.0\.0:(\d+)\/mcp/
  await expect.poll(() => stderr.join(''), { timeout: 20_000 }).toMatch(place)
  const port = place.exec(stderr.join(''))?.[1] ?? ''
  const here = (headers?: Record<string, string>) => statusOf('127.0.0.1', port, headers)
  expect(await here({ host: 'rebound.example' })).toBe(403)
  expect(await here({ origin: 'https://page.example' })).toBe(403)
  expect(await here({ host: `named.example:${port}` })).not.toBe(403)
  if (outside !== undefined) {
    expect(await statusOf(outside, port)).toBe(401)
    expect(await statusOf(outside, port, { authorization: 'Bearer open-sesame' })).not.toBe(401)
  }
  stop.abort()
  await ended
})

test('agent serve requires its token', async () => {
  const cwd = folder({ 'a.agf.yaml': AGENT.replace('model: any', 'model: sim/cautious') })
  const stop = new AbortController()
  const { io, stdout, stderr } = memoryIo({ cwd, env: { TOKEN: 'open-sesame' }, interruption: stop.signal })
  const ended = run(['agent', 'serve', 'a.agf.yaml', '--mcp', '--host', '0.0.0.0', '--token', `\${TOKEN}`], io)
  await expect.poll(() => stdout.join(''), { timeout: 20_000 }).toContain('http://')
  const url = stdout.join('').trim().replace('0.0.0.0', '127.0.0.1')
  const status = async (headers: Record<string, string>) => (await fetch(url, { method: 'POST', headers })).status
  expect(await status({})).toBe(401)
  expect(await status({ authorization: 'Bearer wrong' })).toBe(401)
  expect(await status({ authorization: 'Bearer open-sesame' })).not.toBe(401)
  expect(stderr.join('')).toContain('any client with the token that can connect to 0.0.0.0 can run this agent')
  stop.abort()
  await ended
})

/** A program that leaves a process behind in a session of its own, and writes its id to a file. */
const leaver = (file: string) => `
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
writeFileSync(${JSON.stringify(file)}, String(child.pid))
child.unref()
console.log('done')
`

const alive = (id: number) => {
  try {
    process.kill(id, 0)
    // A zombie is not running.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** A client, so that a command that speaks MCP is started. */
const CLIENT = `oatf: "0.1"
attack:
  execution: { mode: mcp_client, state: { actions: [{ method: tools/list }] } }
  indicators: [{ surface: tools/list, direction: response, target: "tools[*].name", pattern: { contains: x } }]
`

describe.runIf(process.platform === 'linux')('a grandchild in a session of its own is ended with the run', () => {
  test.each([
    ['--exec', SERVER, (program: string) => ['--exec', program]],
    ['--acp', SERVER, (program: string) => ['--acp', program]],
    ['--target mcp=…', CLIENT, (program: string) => ['--target', `mcp=${program}`]],
  ])('%s', async (_, document, words) => {
    const cwd = folder({ 'a.oatf.yaml': document })
    const file = join(cwd, 'left')
    const path = join(folder({ 'leave.mjs': leaver(file) }), 'leave.mjs')
    const argv = ['run', 'a.oatf.yaml', ...words(`${process.execPath} ${path}`)]
    const limits = ['--no-preflight', '--out', 'out', '--grace', '0', '--quiet']
    await joust([...argv, ...limits], { cwd, env: { PATH: process.env.PATH } })
    expect(existsSync(file)).toBe(true)
    expect(alive(Number(readFileSync(file, 'utf8')))).toBe(false)
  })
})

test('JUnit on stdout carries no workflow commands', async () => {
  const hostile = SELF_PLAY.replace('word: secret', 'word: "secret\\n::error file=x::pwned\\n##[error]pwned"')
  const cwd = folder({ 'a.oatf.yaml': hostile.replace('name: Self-play', 'name: "x\\n::stop-commands::y"') })
  await joust(['run', 'a.oatf.yaml', ...WIRE, '--out', 'out', '--quiet'], { cwd })
  const { stdout } = await joust(['report', 'out', '--format', 'junit'], { cwd })
  expect(stdout).toContain('pwned')
  for (const line of stdout.split('\n')) expect(line).not.toMatch(/^\s*::|##\[/)
})

describe('terminal output contains no workflow commands of GitHub Actions', () => {
  const FORGED = '::error file=x::pwned ##[error]pwned'
  const env = { GITHUB_ACTIONS: 'true' }
  const hostile = SELF_PLAY.replace('name: Self-play', `name: "${FORGED}"\n  description: "##[error]pwned"`)

  // An unknown field is shown with its line.
  const broken = `${hostile}  "##[error]pwned": 1\n`
  const file = '::error::pwned.oatf.yaml'

  test.each([
    ['run', hostile, [...WIRE, '--out', 'out']],
    ['run', hostile, [...WIRE, '--dry-run']],
    ['run', broken, [...WIRE, '--out', 'out']],
    ['prove', broken, []],
    ['validate', broken, []],
    ['lint', broken, []],
  ])('%s', async (command, text, more) => {
    const { stdout, stderr } = await joust([command, file, ...more], { cwd: folder({ [file]: text }), env })
    expect(stdout + stderr).toContain('pwned')
    for (const line of `${stdout}\n${stderr}`.split('\n')) expect(line).not.toMatch(/^\s*::|##\[/)
  })

  test('JSON with escapes has the same result', async () => {
    const { stdout } = await joust(['run', file, ...WIRE, '--json', '--out', 'out'], {
      cwd: folder({ [file]: hostile }),
      env,
    })
    expect(stdout).not.toContain('##[')
    expect(JSON.stringify(JSON.parse(stdout))).toContain(FORGED)
  })
})

test('fmt writes characters that reorder or hide text as escapes', async () => {
  const text = SELF_PLAY.replace('word: secret', 'word: "a\u202eb\u2066c\u200bd"')
  const cwd = folder({ 'a.oatf.yaml': text })
  const { stdout, code } = await joust(['fmt', 'a.oatf.yaml'], { cwd })
  expect(code).toBe(0)
  expect(stdout).toMatch(/\\u202e/i)
  expect(stdout).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/)
})
