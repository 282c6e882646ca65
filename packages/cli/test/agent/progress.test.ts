import type { RunEvent } from '@joust/runtime'
import { expect, test } from 'vitest'
import { createProgress } from '../../src/agent/progress.ts'
import { memoryIo } from '../world.ts'

const where = { run: 'run-1', at: 0, agent: ['writer'] }
const usage = {
  inputTokens: 1,
  outputTokens: 1,
  totalTokens: 2,
  estimated: true,
  modelCalls: 1,
  toolCalls: 0,
  durationMs: 5,
}

function lines(...events: RunEvent[]): string {
  const { io, stderr } = memoryIo()
  const listen = createProgress('team', io)
  for (const event of events) listen(event)
  return stderr.join('')
}

test.each<[RunEvent, string]>([
  [{ ...where, type: 'agent-started', id: 'w', policy: 'agf.react', input: null }, 'started (agf.react)'],
  [{ ...where, type: 'tool-called', call: '1', name: 'greet', kind: 'local', args: { a: 1 } }, 'calls greet {"a":1}'],
  [{ ...where, type: 'tool-failed', call: '1', name: 'greet', content: 'greet failed: no' }, 'greet failed: no'],
  [{ ...where, type: 'tool-failed', call: '1', name: 'greet', content: 'no' }, 'greet failed: no'],
  [
    { ...where, type: 'approval-answered', kind: 'tool', target: 'greet', approved: false, reason: 'no' },
    'greet was denied (no)',
  ],
  [
    { ...where, type: 'model-failed', model: 'm', attempt: 1, reason: '429', retryInMs: 1500 },
    'm failed: 429, retrying in 1.5 s',
  ],
  [
    { ...where, type: 'limit-reached', limit: 'max_tokens', owner: [], max: 5, used: 6 },
    'limit reached: max_tokens is 5',
  ],
  [{ ...where, type: 'warning', code: 'server_failed', message: 'gone' }, 'warning: gone'],
  [{ ...where, type: 'run-finished', output: null, usage }, 'done: 1 model call, 0 tool calls, 2 tokens (estimated)'],
])('%j', (event, text) => {
  expect(lines(event)).toBe(`team/writer  ${text}\n`)
})

test('internal details are omitted', () => {
  expect(lines({ ...where, type: 'model-text', message: '1', step: 0, delta: 'x' })).toBe('')
})

test('long and hidden text is cut and shown', () => {
  const args = { a: `\u001b[31m${'x'.repeat(500)}` }
  const text = lines({ ...where, type: 'tool-called', call: '1', name: 'g\u202e', kind: 'mcp', args })
  expect(text).not.toMatch(/\u202e/)
  expect(text.length).toBeLessThan(170)
})

test('runs are named where several go on', () => {
  const { io, stderr } = memoryIo()
  createProgress('team', io, { nameRuns: true })({
    ...where,
    agent: [],
    type: 'warning',
    code: 'server_failed',
    message: 'gone',
  })
  expect(stderr.join('')).toBe('run-1 team  warning: gone\n')
})
