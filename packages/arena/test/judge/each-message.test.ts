import { createCelEvaluator, load } from '@joust/oatf'
import { expect, test } from 'vitest'
import type { TraceEntry } from '../../../results/src/model/trace-entry.ts'
import { judgeEachMessage } from '../../src/judge/each-message.ts'

const loaded = load(`oatf: "0.1"
attack:
  name: t
  execution: { mode: mcp_server, state: { tools: [{ name: a, description: b, inputSchema: { type: object } }] } }
  indicators:
    - { id: word, surface: tools/call, direction: request, target: arguments.x, pattern: { contains: canary } }
    - { id: cel, surface: tools/call, target: arguments, expression: { cel: "message.arguments.x.size() > 3" } }
`)

function entry(seq: number, more: Partial<TraceEntry>): TraceEntry {
  const facts = { at: '2026-01-01T00:00:00.000Z', elapsed_ms: 0, actor: 'default', mode: 'mcp_server', protocol: 'mcp' }
  const call = { phase: 'p', direction: 'request', flow: 'in', surface: 'tools/call', content: {} } as const
  return { seq, ...facts, ...call, ...more }
}

const call = (x: string) => ({ content: { name: 'a', arguments: { x } } })

test('reports the filter step of each message, and continues after a match', async () => {
  if (!loaded.ok) throw new Error('not loaded')
  const entries = [
    entry(1, { surface: 'tools/list' }),
    entry(2, call('a canary')),
    entry(3, call('no')),
    entry(4, { ...call('another canary'), direction: 'response', flow: 'out' }),
    entry(5, call('the canary again')),
    entry(6, { malformed: 'not JSON' }),
    entry(7, { protocol: 'a2a', mode: 'a2a_server' }),
    entry(8, {}),
  ]
  const options = { cel: createCelEvaluator(), maxVerdicts: 3 }
  const seen = await judgeEachMessage(loaded.value, entries, options)
  const [word, cel] = seen
  expect(word?.steps).toEqual([
    'surface',
    'matched',
    'evaluated',
    'direction',
    'matched',
    'unreadable',
    'protocol',
    'evaluated',
  ])
  expect(word?.verdicts.map(({ entry: decided }) => decided?.seq)).toEqual([2, 5])
  expect(cel?.steps.at(-1)).toBe('error')
  // The fourth is left out.
  expect(cel?.verdicts.map(({ entry: decided }) => decided?.seq)).toEqual([2, 4, 5])
})
