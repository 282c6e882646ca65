/** `--reply-timeout`: how long an answer of the agent may take to begin. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Results } from '@joust/results'
import { expect, onTestFinished, test } from 'vitest'
import { listenForTest } from '../../../io/test/loopback.ts'
import { folder, joust } from '../world.ts'
import { SERVER, USER } from './documents.ts'

/** An agent that takes requests and never answers. */
async function silentAgent(): Promise<string> {
  const server = createServer(() => undefined)
  onTestFinished(() => server.closeAllConnections())
  return listenForTest(server)
}

const reasonsIn = (cwd: string): string => {
  const results: Results = JSON.parse(readFileSync(join(cwd, 'out/results.json'), 'utf8'))
  return JSON.stringify(results.targets.flatMap(({ attacks }) => attacks.map(({ reasons }) => reasons)))
}

const QUICK = ['--grace', '0', '--observe', '0', '--report', 'json', '--out', 'out', '--no-preflight']

test.each([
  ['a client actor over AG-UI', 'ag_ui', USER, /no response from .* within 250 ms/],
  ['the prompt of a user over AG-UI', 'ag_ui', SERVER, /no response from .* within 250 ms/],
  ['the prompt of a user over A2A', 'a2a', SERVER, /no response within 0.25 s/],
])('%s waits as long as the option says', async (_, protocol, document, reason) => {
  const cwd = folder({ 'a.oatf.yaml': document })
  const target = `${protocol}=${await silentAgent()}`
  const bounds = ['--max-duration', '120s', '--reply-timeout', '250ms', ...QUICK]
  const listen = document === SERVER ? ['--listen', 'default=127.0.0.1:0'] : []
  const words = ['run', 'a.oatf.yaml', '--target', target, ...listen, ...bounds]
  expect((await joust(words, { cwd })).code).toBe(5)
  expect(reasonsIn(cwd)).toMatch(reason)
})

test('a turn of an HTTP target, by the key of the project file', async () => {
  const url = await silentAgent()
  const cwd = folder({
    'a.oatf.yaml': USER,
    'joust.yaml': `attacks: [a.oatf.yaml]\nreply_timeout: 250ms\ntargets:\n  api: { http: { url: "${url}" } }\n`,
  })
  expect((await joust(['run', ...QUICK], { cwd })).code).toBe(5)
  expect(reasonsIn(cwd)).toContain('did not answer within 0.25 s')
})

test('a command', async () => {
  const cwd = folder({ 'a.oatf.yaml': USER, 'agent.cjs': 'setInterval(() => {}, 1000)' })
  const command = `${process.execPath} ${join(cwd, 'agent.cjs')}`
  await joust(['run', 'a.oatf.yaml', '--exec', command, '--reply-timeout', '500ms', ...QUICK], { cwd })
  expect(reasonsIn(cwd)).toContain('did not exit within 0.5 s')
})
