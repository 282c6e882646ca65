import type { Redacted, TraceEntry } from '@joust/arena'
import { expect, test } from 'vitest'
import { createLiveSuite, hear, putBefore, runOf } from '../../src/client/live-suite.ts'

const place = { target: 't', file: 'f', trial: 1 }
const entry = (seq: number) =>
  ({
    seq,
    at: '',
    elapsed_ms: seq,
    actor: 'a',
    mode: 'mcp_server',
    protocol: 'mcp',
    phase: 'p',
    direction: 'request',
    flow: 'in',
    surface: 'x',
    content: seq,
  }) as unknown as Redacted<TraceEntry>

const seqs = (suite: ReturnType<typeof createLiveSuite>) =>
  runOf(suite, place).trace.value.messages.map(({ seq }) => seq)

test('what was told before the page listened comes before what it heard, each once', () => {
  const suite = createLiveSuite(1, {}, '')
  for (const seq of [3, 4, 5]) hear(suite, { kind: 'message', ...place, entry: entry(seq) })
  putBefore(runOf(suite, place), [entry(1), entry(2), entry(3), entry(4)])
  expect(seqs(suite)).toEqual([1, 2, 3, 4, 5])
})

test('a run that is made again begins anew', () => {
  const suite = createLiveSuite(1, {}, '')
  for (const seq of [1, 2, 3, 1, 2]) hear(suite, { kind: 'message', ...place, entry: entry(seq) })
  expect(seqs(suite)).toEqual([1, 2])
})
