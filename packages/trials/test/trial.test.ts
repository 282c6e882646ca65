import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Target } from '@joust/arena'
import { createCelEvaluator } from '@joust/oatf'
import { knownShapes } from '@joust/results'
import { expect, onTestFinished, test } from 'vitest'
import { rejectionOf } from '../../arena/src/drivers/rejections.ts'
import { createAssessor } from '../../arena/src/judge/assess.ts'
import { loadedAttack, selfPlay } from '../../arena/test/support/attacks.ts'
import { memoryTrace, readTrace } from '../../results/src/files/trace-file.ts'
import type { TraceEnding, TraceHeader } from '../../results/src/trace/lines.ts'
import { isOutside, runTrial } from '../src/trial.ts'

const failing = (message: string) => ({ target: { name: 'x', start: () => Promise.reject(new Error(message)) } })
const working = { wire: { client: 'server' }, limits: { graceMs: 0 } }

const job = {
  file: 'a',
  attack: loadedAttack(selfPlay('x', ['x'])),
  arm: 'attack' as const,
  trial: 1,
  openTrace: () => undefined,
  evaluators: { cel: createCelEvaluator() },
  redactor: knownShapes(),
  signal: new AbortController().signal,
}

async function tryOften(messages: readonly string[], retries: number) {
  let made = 0
  const trial = await runTrial({
    ...job,
    retries,
    run: ({ spend }) => {
      spend({ inputTokens: 3, outputTokens: 4 })
      const message = messages[made++]
      return message === undefined ? working : failing(message)
    },
  })
  return { made, trial }
}

test('a run that failed outside the agent is retried, and usage includes all retries', async () => {
  const { made, trial } = await tryOften(['Too many requests (status 429)', 'connect ECONNREFUSED 127.0.0.1:9'], 3)
  expect(made).toBe(3)
  expect(trial).toMatchObject({
    outcome: 'exploited',
    retries: 2,
    usage: { calls: 3, input_tokens: 9, output_tokens: 12 },
  })
})

test('retries are limited, and the last one counts', async () => {
  const { made, trial } = await tryOften(['Overloaded (status 503)', 'Overloaded (status 529)', 'x'], 1)
  expect(made).toBe(2)
  expect(trial).toMatchObject({ outcome: 'inconclusive', retries: 1 })
})

test('calls of real servers are added up over all attempts, with the findings about them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trial-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const command = [process.execPath, join(import.meta.dirname, '../../arena/test/through/server.mjs'), 'plain', folder]
  const through = { servers: [{ name: 'notes', command, tools: [{ name: 'write_note' }] }], allow: ['write_note'] }
  let attempts = 0
  const target: Target = {
    name: 'writer',
    start: async ({ servers }) => ({
      endpoints: {},
      async turn() {
        attempts += 1
        const address = servers.find(({ actor }) => actor === 'notes')?.address ?? ''
        const params = { name: 'write_note', arguments: { path: `${attempts}`, content: 'x' } }
        await fetch(address, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        }).then((response) => response.text())
        if (attempts === 1) throw new Error('Overloaded (status 503)')
      },
      stop: async () => {},
    }),
  }
  const trial = await runTrial({
    ...job,
    attack: loadedAttack({
      name: 'Beside',
      indicators: [
        { surface: 'tools/call', protocol: 'mcp', target: 'arguments.content', pattern: { contains: 'never' } },
      ],
      execution: { mode: 'mcp_server', state: { tools: [] } },
    }),
    retries: 1,
    run: () => ({ target, through, limits: { graceMs: 0 } }),
  })
  expect(trial).toMatchObject({ retries: 1, through: [{ tool: 'write_note', decision: 'passed', calls: 2 }] })
  expect(readdirSync(folder).filter((name) => name !== 'log')).toEqual(['1', '2'])
  const changes = trial.diagnostics.filter(({ code }) => code === 'through-changed-state')
  expect(changes).toHaveLength(1)
})

test('failures of the agent are not retried', async () => {
  const { made, trial } = await tryOften(['the agent crashed with exit code 1'], 3)
  expect(made).toBe(1)
  expect(trial.outcome).toBe('inconclusive')
  expect(trial.retries).toBeUndefined()
})

test('the trace of a successful attack contains the diagnostics of the run', async () => {
  const turn = () => Promise.reject(new Error('the agent crashed'))
  const start = async () => ({ endpoints: {}, turn, stop: async () => {} })
  const writer = memoryTrace(10_000)
  const trial = await runTrial({
    file: 'a',
    attack: loadedAttack(selfPlay('x', ['x'])),
    arm: 'attack',
    trial: 1,
    openTrace: () => ({ name: 'trace', writer }),
    evaluators: { cel: createCelEvaluator() },
    redactor: knownShapes(),
    signal: new AbortController().signal,
    run: () => ({ ...working, target: { name: 'x', start } }),
  })
  expect(trial.outcome).toBe('exploited')
  const assessor = createAssessor(loadedAttack(selfPlay('y', ['x'])))
  const endings: TraceEnding[] = []
  const onEnding = (told: TraceEnding) => void endings.push(told)
  for await (const item of readTrace({ text: writer.text() }, { onEnding })) await assessor.add(item)
  expect(await assessor.finish(endings[0])).toMatchObject({ outcome: 'inconclusive', reasons: ['the agent crashed'] })
})

const TOKEN = 'ticket-40417'

/** Runs a trial whose server has a token that its client sends; returns the trial, the trace and the values of its run. */
async function runWithToken(canaries?: Readonly<Record<string, string>>) {
  const loaded = loadedAttack({ ...selfPlay(TOKEN, [TOKEN]), 'x-joust-canaries': [TOKEN] })
  const headers: TraceHeader[] = []
  const values: unknown[] = []
  let trace: ReturnType<typeof memoryTrace> | undefined
  const trial = await runTrial({
    file: 'a',
    attack: loaded,
    arm: 'attack',
    trial: 1,
    openTrace: (header) => {
      headers.push(header)
      trace = memoryTrace(100_000, header)
      return { name: 'trace', writer: trace }
    },
    evaluators: { cel: createCelEvaluator() },
    redactor: knownShapes(),
    signal: new AbortController().signal,
    run: (which) => {
      values.push(which.canaries)
      return { ...working, ...(canaries && { canaries }) }
    },
  })
  return { trial, headers, values, text: trace?.text() ?? '' }
}

test('each run has fresh canaries, and its trace names them', async () => {
  const [one, two] = [await runWithToken(), await runWithToken()]
  for (const { trial, headers, values, text } of [one, two]) {
    expect(trial.outcome).toBe('exploited')
    expect(headers).toEqual([{ canaries: { [TOKEN]: expect.stringMatching(/^[a-z]{6}-\d{5}$/) } }])
    expect(values).toEqual([headers[0]?.canaries])
    const [first = '', ...entries] = text.split('\n')
    expect(first).toContain(TOKEN)
    expect(entries.join('\n')).not.toContain(TOKEN)
    expect(entries.join('\n')).toContain(headers[0]?.canaries?.[TOKEN])
  }
  expect(one.headers).not.toEqual(two.headers)
})

test('a run can have the canaries of a recording; values of another shape do not run', async () => {
  const { trial, headers } = await runWithToken({ [TOKEN]: 'bcdfgh-12345' })
  expect(trial.outcome).toBe('exploited')
  expect(headers).toEqual([{ canaries: { [TOKEN]: 'bcdfgh-12345' } }])
  const broken = await runWithToken({ [TOKEN]: '.*' })
  expect(broken.trial.outcome).toBe('inconclusive')
  expect(broken.headers).toEqual([{}])
  expect(broken.trial.diagnostics.map(({ message }) => message).join()).toContain(
    'the value .* does not have the shape of',
  )
})

test('a run with a match in a message of the agent is not retried', () => {
  const entry = { seq: 3, actor: 'a', phase: 'p', surface: 'tools/call', flow: 'in' } as const
  const counted = [{ indicator_id: 'i', result: 'matched' as const, entry, considered: {} as never }]
  const diagnostics = [{ code: 'agent-failed', severity: 'error' as const, message: 'status 429' }]
  const run = { outcome: 'inconclusive', ended: 'done', diagnostics } as const
  expect(isOutside(run)).toBe(true)
  expect(isOutside({ ...run, counted })).toBe(false)
})

test.each([
  ['connection-lost', undefined, true],
  ['actor-failed', true, true],
  ['actor-failed', undefined, false],
  ['reply-missing', undefined, false],
] as const)('%s with transient %s, regardless of its message: %s', (code, transient, expected) => {
  const diagnostics = [{ code, severity: 'error' as const, message: 'x: status 429', ...(transient && { transient }) }]
  expect(isOutside({ outcome: 'inconclusive', ended: 'failed', diagnostics })).toBe(expected)
})

test.each([
  ['Too many requests (status 429)', true],
  ['Bad gateway (status 502)', true],
  ['answered with 503', true],
  [`${rejectionOf(503)}`, true],
  [`${rejectionOf(401)}`, false],
  ['read ECONNRESET', true],
  ['fetch failed', true],
  ['no answer within 30 seconds', true],
  ['no response from http://127.0.0.1:9/ within 30000 ms', true],
  ['agent did not answer within 300 s', true],
  ['the command did not exit within 300 s', false],
  ['Not found (status 404)', false],
  ['port 5000 is taken', false],
  ['the model named 5429', false],
])('%s', (message, expected) => {
  const found = { code: 'target-failed', severity: 'error', message } as const
  expect(isOutside({ outcome: 'inconclusive', ended: 'failed', diagnostics: [found] })).toBe(expected)
  expect(isOutside({ outcome: 'exploited', ended: 'done', diagnostics: [found] })).toBe(false)
})
