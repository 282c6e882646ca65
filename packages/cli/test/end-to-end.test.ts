import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { SELF_PLAY, SERVER, selfPlay } from './run/documents.ts'
import { binary, compiled, spawnJoust as joust } from './spawned.ts'
import { BAD, folder, GOOD, type Outcome } from './world.ts'

test('the binary was built', () => {
  expect(existsSync(fileURLToPath(new URL('../dist/main.js', import.meta.url))), 'run npm run build first').toBe(true)
})

test('a checkout that was not built prints how to build it', () => {
  const cwd = folder({ 'cli/src/main.ts': '', 'cli/bin/joust.cjs': readFileSync(compiled, 'utf8') })
  const { status, stderr } = spawnSync(process.execPath, [join(cwd, 'cli/bin/joust.cjs'), 'run'], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([10, 'joust: cannot start: this checkout is not built: npm run build\n'])
})

test('exit codes of validate: 0, 1, 64', async () => {
  const cwd = folder({ 'good.yaml': GOOD, 'bad.yaml': BAD })
  expect((await joust(['validate', 'good.yaml'], cwd)).code).toBe(0)
  expect((await joust(['validate', 'bad.yaml'], cwd)).code).toBe(1)
  expect((await joust(['validate', 'none.yaml'], cwd)).code).toBe(64)
  expect((await joust(['validate', "'*.yml'"], cwd)).code).toBe(64)
})

test('exit codes of lint: 0, 1, 64', async () => {
  const found = GOOD.replace('arguments.path', 'params.arguments')
  const cwd = folder({ 'good.yaml': GOOD, 'found.yaml': found, 'bad.yaml': BAD })
  expect((await joust(['lint', 'good.yaml'], cwd)).code).toBe(0)
  expect((await joust(['lint', 'found.yaml'], cwd)).code).toBe(1)
  expect((await joust(['lint', 'bad.yaml'], cwd)).code).toBe(1)
  expect((await joust(['lint', 'none.yaml'], cwd)).code).toBe(64)
})

test('standard input from a pipe', async () => {
  const { code, stdout } = await joust(['validate', '-'], folder(), BAD)
  expect(code).toBe(1)
  expect(stdout).toContain('<stdin>:3:7  error V-023')
})

test('too much standard input', async () => {
  const { code, stdout } = await joust(['validate', '-'], folder(), ' '.repeat(6_000_000))
  expect(code).toBe(1)
  expect(stdout).toContain('error too-large')
})

test('exit codes of evaluate: 0, 1, 5', async () => {
  const cwd = folder({ 'a.yaml': GOOD, 'hit.json': '{"arguments":{"path":"/etc/passwd"}}', 'miss.json': '{}' })
  expect((await joust(['evaluate', 'a.yaml', '-m', 'hit.json'], cwd)).code).toBe(1)
  expect((await joust(['evaluate', 'a.yaml', '-m', 'miss.json'], cwd)).code).toBe(0)
  expect((await joust(['evaluate', 'hit.json', '-m', 'miss.json'], cwd)).code).toBe(5)
})

test('a folder that is gone is one sentence and exit code 10, not that of an attack that went through', async () => {
  const cwd = folder({ 'gone/a': '' })
  const { code, stderr } = await new Promise<Pick<Outcome, 'code' | 'stderr'>>((resolve) => {
    const child = spawn('sh', ['-c', `rm -r "$PWD"; exec "${process.execPath}" "${binary}" run library`], {
      cwd: join(cwd, 'gone'),
    })
    let stderr = ''
    child.stderr.on('data', (chunk) => (stderr += chunk))
    child.on('close', (code) => resolve({ code: code ?? -1, stderr }))
  })
  expect({ code, stderr }).toEqual({
    code: 10,
    stderr: 'joust: cannot start: the working folder no longer exists\n',
  })
})

test('a reader that disconnects changes nothing', async () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}.yaml`, BAD]))
  const { code, stderr, signal } = await joust(['validate', '.'], folder(many), '', (child) => child.stdout?.destroy())
  expect({ code, signal }).toEqual({ code: 1, signal: null })
  expect(stderr).not.toContain('EPIPE')
})

test.skipIf(!existsSync('/dev/full'))('output that cannot be written is exit code 10', async () => {
  const { code, stderr } = await new Promise<Outcome>((resolve) => {
    const child = spawn('sh', ['-c', `"${process.execPath}" "${binary}" explain > /dev/full`])
    let stderr = ''
    child.stderr.on('data', (chunk) => (stderr += chunk))
    child.on('close', (code) => resolve({ code: code ?? -1, stdout: '', stderr }))
  })
  expect(code).toBe(10)
  expect(stderr).toMatch(/^joust: the output cannot be written: .*\n$/)
})

test.skipIf(process.platform === 'win32').each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends it with %i', async (signal, expected) => {
  // More than a pipe holds: once all of it is written the command is reading, so its handlers are in place.
  const cwd = folder()
  const { code } = await joust(['validate', '-'], cwd, undefined, (child) => {
    child.stdin?.write(' '.repeat(1_000_000), () => child.kill(signal))
  })
  expect(code).toBe(expected)
})

test('--write goes through to the disk', async () => {
  const cwd = folder({ 'a.yaml': GOOD })
  chmodSync(join(cwd, 'a.yaml'), 0o600)
  expect((await joust(['fmt', '--write', 'a.yaml'], cwd)).code).toBe(0)
  expect((await joust(['fmt', '--check', 'a.yaml'], cwd)).code).toBe(0)
  expect(readFileSync(join(cwd, 'a.yaml'), 'utf8')).toMatch(/^oatf: /)
})

test.skipIf(process.getuid?.() === 0)('an unreadable file or folder is a finding', async () => {
  const cwd = folder({ 'a.oatf.yaml': GOOD })
  chmodSync(join(cwd, 'a.oatf.yaml'), 0)
  mkdirSync(join(cwd, 'd'), { mode: 0 })
  const { code, stdout } = await joust(['validate', '.'], cwd)
  expect(code).toBe(1)
  expect(stdout).toContain('a.oatf.yaml  error unreadable  the file cannot be read: permission denied')
  expect(stdout).toContain('d  error unreadable  the folder cannot be listed')
})

test('a sound document loads neither the expression libraries nor what agents need', async () => {
  const cwd = folder({ 'a.yaml': GOOD })
  const trace = `import { register } from 'node:module'
register('data:text/javascript,' + encodeURIComponent(\`
  export async function resolve(specifier, context, next) {
    const found = await next(specifier, context)
    if (/json-p3|@bufbuild|packages.(agentformat|runtime)/.test(found.url)) throw new Error('loaded ' + found.url)
    return found
  }\`))`
  const { status, stderr } = await new Promise<{ status: number | null; stderr: string }>((resolve) => {
    const loader = `data:text/javascript,${encodeURIComponent(trace)}`
    const child = spawn(process.execPath, ['--import', loader, compiled, 'validate', 'a.yaml'], { cwd })
    let stderr = ''
    child.stderr.on('data', (chunk) => (stderr += chunk))
    child.on('close', (status) => resolve({ status, stderr }))
  })
  expect(stderr).toBe('1 file, 0 errors, 0 warnings\n')
  expect(status).toBe(0)
})

const SELF_PLAY_TARGET = ['--wire', 'client=server', '--grace', '0', '--report', 'json', '--quiet']

test('exit codes of run: 0, 1, 5, 64', async () => {
  const cwd = folder({
    'hit.oatf.yaml': SELF_PLAY,
    'miss.oatf.yaml': selfPlay('TEST-003', 'nothing'),
    'server.oatf.yaml': SERVER,
  })
  const code = async (file: string, ...words: readonly string[]) => (await joust(['run', file, ...words], cwd)).code
  expect(await code('miss.oatf.yaml', ...SELF_PLAY_TARGET, '--out', 'a')).toBe(0)
  expect(await code('hit.oatf.yaml', ...SELF_PLAY_TARGET, '--out', 'b')).toBe(1)
  const waiting = ['--listen', 'default=0', '--max-duration', '50ms', '--report', 'json', '--quiet', '--out', 'c']
  expect(await code('server.oatf.yaml', ...waiting)).toBe(5)
  expect(await code('hit.oatf.yaml', '--out', 'd')).toBe(64)
})

test('an actor on standard output is its only writer', async () => {
  const cwd = folder({ 'server.oatf.yaml': SERVER })
  const words = ['run', 'server.oatf.yaml', '--listen', 'default=stdio', '--max-duration', '3s', '--report', 'json']
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
  const { code, stdout, stderr } = await joust(words, cwd, ping)
  expect({ code, answer: JSON.parse(stdout) }).toEqual({ code: 5, answer: { jsonrpc: '2.0', id: 1, result: {} } })
  expect(stderr).toContain('1 attack, 1 run: 0 exploited')
})

const WAITING_AGENT = {
  'a.oatf.yaml': SERVER,
  'agent.cjs': "require('node:fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000)",
}

test('Ctrl-C ends the agent and keeps the results so far', async () => {
  const cwd = folder(WAITING_AGENT)
  const words = ['run', 'a.oatf.yaml', '--exec', `${process.execPath} agent.cjs`, '--out', 'out', '--report', 'json']
  const { code } = await joust(words, cwd, undefined, (child) => {
    const timer = setInterval(() => {
      if (!existsSync(join(cwd, 'pid'))) return
      clearInterval(timer)
      child.kill('SIGINT')
    }, 20)
  })
  expect(code).toBe(130)
  const results = JSON.parse(readFileSync(join(cwd, 'out/results.json'), 'utf8'))
  expect(results).toMatchObject({
    stopped: { reason: 'interrupted' },
    targets: [{ attacks: [{ outcome: 'inconclusive' }] }],
  })
  await ended(Number(readFileSync(join(cwd, 'pid'), 'utf8')))
})

/** Waits until a process is gone; a killed one exists until its new parent has reaped it. */
async function ended(pid: number): Promise<void> {
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), 20_000)
}

test.skipIf(process.platform !== 'linux' || !existsSync('/usr/bin/script'))(
  'a terminal that is closed in mid-run does the same, however often it says so',
  async () => {
    const words = "run a.oatf.yaml --exec 'node agent.cjs' --no-preflight --out out --report json"
    const shell = `trap 'kill -HUP $!; sleep 0.02; kill -HUP $!' HUP
      "${process.execPath}" "${binary}" ${words} & wait $!; wait $!; echo $? > code`
    const cwd = folder({ ...WAITING_AGENT, 'session.sh': shell })
    const terminal = spawn('script', ['-qec', 'sh session.sh', '/dev/null'], { cwd })
    await vi.waitFor(() => expect(existsSync(join(cwd, 'pid'))).toBe(true), 20_000)
    terminal.kill('SIGKILL')
    await vi.waitFor(() => expect(readFileSync(join(cwd, 'code'), 'utf8')).toBe('129\n'), 20_000)
    const results = JSON.parse(readFileSync(join(cwd, 'out/results.json'), 'utf8'))
    expect(results).toMatchObject({ stopped: { reason: 'interrupted' } })
    await ended(Number(readFileSync(join(cwd, 'pid'), 'utf8')))
  },
)

test('a killed suite resumes at the same run', async () => {
  const documents = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [
      `a/${index}.oatf.yaml`,
      selfPlay(`TEST-1${String(index).padStart(2, '0')}`, 'secret'),
    ]),
  )
  const cwd = folder(documents)
  const words = ['run', 'a', '--wire', 'client=server', '--grace', '200ms', '--concurrency', '1', '--report', 'json']
  await joust([...words, '--out', 'out'], cwd, undefined, (child) => {
    child.stderr?.on('data', (chunk) => String(chunk).includes('3/12') && child.kill('SIGKILL'))
  })
  const { code, stderr } = await joust([...words, '--resume', 'out'], cwd)
  expect(code).toBe(1)
  expect(stderr.match(/from earlier results/g)?.length).toBeGreaterThanOrEqual(3)
  expect(JSON.parse(readFileSync(join(cwd, 'out/results.json'), 'utf8')).targets[0].attacks).toHaveLength(12)
})
