import { createCelEvaluator } from '@joust/oatf'
import { expect, test } from 'vitest'
import { turnedAway } from '../../src/drivers/turned-away.ts'
import { knownShapes } from '../../src/index.ts'
import { createAssessor } from '../../src/judge/assess.ts'
import { isOutside, performRun } from '../../src/suite/perform.ts'
import { memoryTrace, readTrace } from '../../src/trace/file.ts'
import type { TraceEnding } from '../../src/trace/lines.ts'
import { loadedAttack, selfPlay } from '../support/attacks.ts'

const failing = (message: string) => ({ target: { name: 'x', start: () => Promise.reject(new Error(message)) } })
const working = { wire: { client: 'server' }, limits: { graceMs: 0 } }

async function perform(messages: readonly string[], retries: number) {
  let made = 0
  const trial = await performRun({
    attack: loadedAttack(selfPlay('x', ['x'])),
    trial: 1,
    retries,
    openTrace: () => undefined,
    evaluators: { cel: createCelEvaluator() },
    redactor: knownShapes(),
    signal: new AbortController().signal,
    options: (spend) => {
      spend({ inputTokens: 3, outputTokens: 4 })
      const message = messages[made++]
      return message === undefined ? working : failing(message)
    },
  })
  return { made, trial }
}

test('a run that something outside has failed is made again; all tries count for usage', async () => {
  const { made, trial } = await perform(['Too many requests (status 429)', 'connect ECONNREFUSED 127.0.0.1:9'], 3)
  expect(made).toBe(3)
  expect(trial).toMatchObject({
    outcome: 'exploited',
    retries: 2,
    usage: { calls: 3, input_tokens: 9, output_tokens: 12 },
  })
})

test('no more often than allowed, and the last try is what is told', async () => {
  const { made, trial } = await perform(['Overloaded (status 503)', 'Overloaded (status 529)', 'x'], 1)
  expect(made).toBe(2)
  expect(trial).toMatchObject({ outcome: 'inconclusive', retries: 1 })
})

test('what the agent itself has done is not tried again', async () => {
  const { made, trial } = await perform(['the agent crashed with exit code 1'], 3)
  expect(made).toBe(1)
  expect(trial.outcome).toBe('inconclusive')
  expect(trial.retries).toBeUndefined()
})

test('the trace of an attack that got through says what went wrong beside it: other indicators may judge it', async () => {
  const turn = () => Promise.reject(new Error('the agent crashed'))
  const start = async () => ({ endpoints: {}, turn, stop: async () => {} })
  const writer = memoryTrace(10_000)
  const trial = await performRun({
    attack: loadedAttack(selfPlay('x', ['x'])),
    trial: 1,
    openTrace: () => ({ name: 'trace', writer }),
    evaluators: { cel: createCelEvaluator() },
    redactor: knownShapes(),
    signal: new AbortController().signal,
    options: () => ({ ...working, target: { name: 'x', start } }),
  })
  expect(trial.outcome).toBe('exploited')
  const assessor = createAssessor(loadedAttack(selfPlay('y', ['x'])))
  const endings: TraceEnding[] = []
  const onEnding = (told: TraceEnding) => void endings.push(told)
  for await (const item of readTrace({ text: writer.text() }, { onEnding })) await assessor.add(item)
  expect(await assessor.finish(endings[0])).toMatchObject({ outcome: 'inconclusive', reasons: ['the agent crashed'] })
})

test('a run in which the agent matched is not tried again', () => {
  const entry = { seq: 3, actor: 'a', phase: 'p', surface: 'tools/call', flow: 'in' } as const
  const counted = [{ indicator_id: 'i', result: 'matched' as const, entry, considered: {} as never }]
  const diagnostics = [{ code: 'agent-failed', severity: 'error' as const, message: 'status 429' }]
  const run = { outcome: 'inconclusive', ended: 'done', diagnostics } as const
  expect(isOutside(run)).toBe(true)
  expect(isOutside({ ...run, counted })).toBe(false)
})

test.each([
  ['Too many requests (status 429)', true],
  ['Bad gateway (status 502)', true],
  ['answered with 503', true],
  [`${turnedAway(503)}`, true],
  [`${turnedAway(401)}`, false],
  ['read ECONNRESET', true],
  ['fetch failed', true],
  ['no answer within 30 seconds', true],
  ['no answer from http://127.0.0.1:9/ within 30000 ms', true],
  ['agent did not answer within 300 s', true],
  ['the command did not end within 300 s', false],
  ['Not found (status 404)', false],
  ['port 5000 is taken', false],
  ['the model named 5429', false],
])('%s', (message, expected) => {
  const found = { code: 'target-failed', severity: 'error', message } as const
  expect(isOutside({ outcome: 'inconclusive', ended: 'failed', diagnostics: [found] })).toBe(expected)
  expect(isOutside({ outcome: 'exploited', ended: 'done', diagnostics: [found] })).toBe(false)
})
