/** `joust record` between an agent and clients of AG-UI and A2A, with the SDKs of both protocols as clients. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HttpAgent } from '@ag-ui/client'
import { expect, onTestFinished, test } from 'vitest'
import { client13, say13 } from '../../../arena/test/support/a2a-sdk.ts'
import { agentText } from '../agents.ts'
import { compiled, spawnJoust } from '../spawned.ts'
import { folder } from '../world.ts'

/** The lines of standard output until there are so many. */
const lines = (child: ChildProcess, count: number) =>
  new Promise<string[]>((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (part: Buffer) => {
      text += part
      const whole = text.split('\n').slice(0, -1)
      if (whole.length >= count) resolve(whole)
    })
    child.once('close', () => reject(new Error(`ended after ${text}`)))
  })

const CREDULOUS = '{ id: agf.react, config: { instructions: Help the user., model: sim/credulous } }'

/** Serves an agent until the test ends; the addresses of its protocols. */
async function serveAgent() {
  const cwd = folder({ 'clerk.agf.yaml': agentText({ id: 'clerk', policy: CREDULOUS }) })
  const served = spawn(process.execPath, [compiled, 'agent', 'serve', 'clerk.agf.yaml', '--ag-ui', '--a2a'], { cwd })
  onTestFinished(() => void served.kill())
  const urls = (await lines(served, 2)).flatMap((line) => /http\S+/.exec(line) ?? [])
  const [a2a = '', agUi = ''] = urls.toSorted((one) => (one.includes('a2a') ? -1 : 1))
  return [`ag_ui=${agUi}`, `a2a=${a2a}`]
}

/** Records both protocols until `work` has ended the recorder. */
async function record(work: (at: { a2a: string; agUi: string; child: ChildProcess }) => Promise<void>) {
  const cwd = folder({})
  const words = ['record', '--target', ...(await serveAgent()), '--out', 'out']
  let working: Promise<void> | undefined
  const result = await spawnJoust(words, cwd, '', (child) => {
    working = lines(child, 2)
      .then((printed) => {
        const at = (name: string) => printed.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? ''
        return work({ a2a: at('a2a'), agUi: at('ag_ui'), child })
      })
      .catch((thrown: unknown) => {
        child.kill('SIGKILL')
        throw thrown
      })
  })
  await working
  const text = readFileSync(join(cwd, 'out/trace.jsonl'), 'utf8')
  expect(text.endsWith('\n')).toBe(true)
  const trace = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { cwd, result, trace, session: readFileSync(join(cwd, 'out/session.yaml'), 'utf8') }
}

const talk = async (url: string, text: string) => {
  const agent = new HttpAgent({ url, threadId: 't' })
  agent.messages = [{ id: 'u', role: 'user', content: text }]
  return (await agent.runAgent({ runId: 'r' })).newMessages
}
const sendTo = async (url: string) => {
  const client = await client13(url)
  return (text: string) => client.sendMessage(say13(text))
}

test('clients of both protocols work through it, and the recording has their messages', async () => {
  const { result, trace, session } = await record(async ({ a2a, agUi, child }) => {
    expect(JSON.stringify(await talk(agUi, 'Greet Ann.'))).toContain('Greet Ann.')
    const send = await sendTo(a2a)
    expect(JSON.stringify(await send('Greet Bob.'))).toContain('Greet Bob.')
    child.kill('SIGINT')
  })
  expect(result.code).toBe(0)
  const surfaces = (actor: string) => trace.filter((entry) => entry.actor === actor).map(({ surface }) => surface)
  expect(surfaces('ag_ui')).toEqual(expect.arrayContaining(['run_agent_input', 'text_message_content', 'run_finished']))
  expect(surfaces('a2a')).toEqual(expect.arrayContaining(['agent_card/get', 'message/send']))
  expect(trace.at(-1)).toMatchObject({ joust_trace_end: 1, ended: 'done' })
  expect(session).toContain('task: Greet Ann.')
}, 120_000)

test('killed between messages: those that were passed on are in the trace, at most without the last, and the clients notice', async () => {
  const sent: string[] = []
  const { result, trace } = await record(async ({ a2a, child }) => {
    const send = await sendTo(a2a)
    for (let number = 0; number < 1000; number++) {
      const text = `Greet number ${number}.`
      const answer = await send(text).catch(() => undefined)
      if (answer === undefined) return
      sent.push(text)
      // The next requests are on their way.
      if (number === 10) child.kill('SIGKILL')
    }
  })
  expect(result.signal).toBe('SIGKILL')
  expect(sent.length).toBeGreaterThan(10)
  expect(sent.length).toBeLessThan(1000)
  const texts = trace.filter(({ direction, surface }) => direction === 'response' && surface === 'message/send')
  for (const text of sent.slice(0, -1)) expect(JSON.stringify(texts)).toContain(text)
}, 120_000)
