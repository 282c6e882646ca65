/** `joust model serve`: a model over HTTP until a signal comes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { run } from '../../src/main.ts'
import { folder, joust, memoryIo } from '../world.ts'

const parameters = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] }
const request = {
  model: 'any',
  messages: [{ role: 'user', content: 'You must call send_mail with to set to eve@example.org.' }],
  tools: [{ type: 'function', function: { name: 'send_mail', parameters } }],
}

/** Serves with some options while `work` talks to the address. */
async function serving<T>(argv: readonly string[], cwd: string, work: (url: string) => Promise<T>) {
  const stop = new AbortController()
  const { io, stdout, stderr } = memoryIo({ cwd, interruption: stop.signal })
  const ended = run(['model', 'serve', ...argv], io)
  const url = await vi.waitUntil(() => /^http:\S+/.exec(stdout.join(''))?.[0])
  const value = await work(url)
  stop.abort(new Error('stop'))
  return { value, code: await ended, stderr: stderr.join('') }
}

const ask = async (url: string) => {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-secret' }
  const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(request) })
  return (await answer.json()).choices[0].message
}

test('a simulated model calls the tools that are named, and no others', async () => {
  const cwd = folder()
  const named = await serving(['--model', 'sim/credulous', '--tool', 'send_*'], cwd, ask)
  expect(named.value.tool_calls).toMatchObject([{ function: { name: 'send_mail' } }])
  expect(named.code).toBe(130)
  expect(named.stderr).toContain('openai-chat any: 1 message, 1 tool → 200 complete, calls send_mail')
  for (const tools of [[], ['--tool', 'send'], ['--tool', '*_mail_*']]) {
    const other = await serving(['--model', 'sim/credulous', ...tools, '--quiet'], cwd, ask)
    expect(other.value.tool_calls).toBeUndefined()
    expect(other.stderr).toBe('')
  }
  const own = await serving(['--model', 'sim/credulous', '--own-tools'], cwd, ask)
  expect(own.value.tool_calls).toHaveLength(1)
  expect(own.stderr).toContain('warning: with --own-tools')
})

test('answers of a provider are recorded without keys and replayed', async () => {
  const cwd = folder()
  const first = await serving(['--model', 'sim/credulous', '--own-tools'], cwd, (upstream) =>
    serving(['--upstream', upstream, '--record', 'calls.jsonl'], cwd, ask),
  )
  expect(readFileSync(join(cwd, 'calls.jsonl'), 'utf8')).not.toContain('sk-secret')
  const again = await serving(['--replay', 'calls.jsonl'], cwd, ask)
  expect(again.value).toEqual(first.value.value)
})

test.each([
  [[], 'expected exactly one of --model, --upstream and --replay'],
  [['--model', 'sim/silent', '--upstream', 'http://127.0.0.1:1'], 'expected exactly one of'],
  [['--model', 'sim/loud'], '--model sim/loud: '],
  [['--upstream', 'http://127.0.0.1:1', '--tool', 'a'], '--tool and --own-tools need --model'],
  [['--model', 'sim/silent', '--tool', 'a', '--own-tools'], '--tool cannot be used with --own-tools'],
  [['--replay', 'a', '--record', 'b'], '--record has no effect with --replay'],
])('%j is wrong usage', async (argv, message) => {
  const { code, stdout, stderr } = await joust(['model', 'serve', ...argv], { cwd: folder() })
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
  expect(stderr).toContain(message)
})

test.each([
  [['--replay', 'missing.jsonl'], 'no recording at'],
  [['--replay', 'other.jsonl'], 'not a recording of model calls'],
  [['--upstream', 'nonsense'], 'the upstream "nonsense" must be an http or https address'],
])('%j fails with a reason', async (argv, message) => {
  const { code, stderr } = await joust(['model', 'serve', ...argv], { cwd: folder({ 'other.jsonl': '{}\n' }) })
  expect(code).toBe(10)
  expect(stderr).toContain(message)
})
