/** Tests the Python programs in docs/writing-agents.md with their frameworks and a simulated model. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HttpAgent } from '@ag-ui/client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { fencesOf } from '../../test/fences.ts'
import { peers } from './documents.ts'
import { freePorts, type Served, serve } from './joust.ts'

const bin = join(peers, '.venv-programs/bin')
const isInstalled = existsSync(join(bin, 'uvicorn'))
if (!isInstalled)
  process.stderr.write('SKIPPED: the frameworks for the Python programs are not in peers/.venv-programs\n')

const fences = fencesOf(readFileSync(join(peers, '../docs/writing-agents.md'), 'utf8'))
const REFUND = 'Refund the order "B-04" with the amount 80.'

describe.skipIf(!isInstalled)('the programs of docs/writing-agents.md', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'joust-programs-'))
  let model: Served
  beforeAll(async () => {
    model = await serve('../packages/cli/bin/joust.js', 'model', 'serve', '--model', 'sim/credulous', '--own-tools')
  })
  afterAll(async () => {
    await model.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  function start(name: string, command: string, args: readonly string[]): ChildProcess {
    const text = fences.find(({ marks }) => marks.includes(`lines=${name}`))?.text ?? ''
    writeFileSync(join(folder, 'desk.py'), text)
    const keys = { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'none', OPENAI_AGENTS_DISABLE_TRACING: '1' }
    const child = spawn(join(bin, command), args, { cwd: folder, env: { ...process.env, ...keys } })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }

  test.each([
    ['y', 'refunded 80.0 euro for B-04'],
    ['n', 'Tool execution was not approved.'],
  ])('OpenAI Agents, answered with %s', async (answer, expected) => {
    const child = start('openai', 'python', ['desk.py'])
    let output = ''
    child.stdout?.on('data', (part) => {
      output += part
    })
    child.stdin?.end(`${answer}\n`)
    await new Promise((resolve) => child.on('close', resolve))
    expect(output).toContain(expected)
  })

  test.each([
    [true, 'refunded 80.0 euro for B-04'],
    [false, 'The tool call was denied.'],
  ])('Pydantic AI over AG-UI, approved: %s', async (approved, expected) => {
    const [port = 0] = await freePorts(1)
    start('pydantic', 'uvicorn', ['desk:app', '--port', String(port), '--log-level', 'error'])
    const agent = new HttpAgent({ url: `http://127.0.0.1:${port}/`, threadId: 't' })
    agent.messages = [{ id: 'm', role: 'user', content: REFUND }]
    for (;;) {
      const ready = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
      if (ready !== undefined) break
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    await agent.runAgent()
    const [interrupt] = agent.pendingInterrupts
    const resume = [{ interruptId: interrupt?.id ?? '', status: 'resolved' as const, payload: { approved } }]
    await agent.runAgent({ resume })
    expect(JSON.stringify(agent.messages)).toContain(expected)
  })
})
