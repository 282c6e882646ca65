import { expect, test } from 'vitest'
import { judgeTrace, traceIn } from '../../src/server/judge-trace.ts'

const attack = (pattern: string) => `oatf: "0.1"
attack:
  name: t
  execution: { mode: mcp_server, state: { tools: [{ name: a, description: b, inputSchema: { type: object } }] } }
  indicators:
    - id: one
      surface: tools/call
      target: arguments.x
      pattern: { contains: ${pattern} }
`
const line = (seq: number, surface: string, direction: string, content: object) =>
  JSON.stringify({
    seq,
    at: '2026-01-01T00:00:00.000Z',
    elapsed_ms: seq,
    actor: 'default',
    mode: 'mcp_server',
    protocol: 'mcp',
    phase: 'phase-1',
    direction,
    flow: direction === 'request' ? 'in' : 'out',
    surface,
    content,
  })
const trace = [
  '{"joust_trace":1}',
  line(1, 'tools/list', 'request', {}),
  line(2, 'tools/call', 'request', { name: 'a', arguments: { x: 'the canary sings' } }),
].join('\n')

test('says of each message which step of the filter dropped it', async () => {
  const judged = await judgeTrace(attack('canary'), traceIn(trace))
  expect(judged).toMatchObject({ ok: true, value: { indicators: [{ id: 'one', steps: ['surface', 'matched'] }] } })
  const other = await judgeTrace(attack('sparrow'), traceIn(trace))
  expect(other).toMatchObject({ ok: true, value: { indicators: [{ id: 'one', steps: ['surface', 'evaluated'] }] } })
})

test('says what is wrong with a document, and that a trace is empty', async () => {
  expect(await judgeTrace('oatf: "0.1"\nattack: {}\n', traceIn(trace))).toMatchObject({ ok: false })
  expect(await judgeTrace(attack('canary'), traceIn(''))).toMatchObject({
    ok: true,
    value: { outcome: 'inconclusive' },
  })
})

test('takes a trace of ThoughtJack, whose lines are its own', async () => {
  const theirs = (seq: number, method: string, content: object) =>
    JSON.stringify({
      seq,
      timestamp: '2026-01-01T00:00:00Z',
      actor: 'default',
      phase: 'p',
      direction: 'incoming',
      method,
      content,
    })
  const lines = [
    theirs(0, 'tools/list', {}),
    theirs(1, 'tools/call', { name: 'a', arguments: { x: 'the canary sings' } }),
  ]
  const judged = await judgeTrace(attack('canary'), traceIn(lines.join('\n')))
  expect(judged).toMatchObject({ ok: true, value: { indicators: [{ id: 'one', steps: ['surface', 'matched'] }] } })
})
