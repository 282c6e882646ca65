/** Calls to real servers in words. */
import { expect, test } from 'vitest'
import { sumThrough, throughDecision, throughSummary } from '../../src/describe/through.ts'
import type { ThroughCall } from '../../src/model/through.ts'

const passed: ThroughCall = {
  server: 'files',
  tool: 'read_file',
  decision: 'passed',
  answer: 'server',
  reason: 'it is read-only and not a sink',
  calls: 3,
}
const held: ThroughCall = {
  ...passed,
  tool: 'write_file',
  decision: 'held',
  answer: 'schema',
  reason: 'it is a sink',
  calls: 1,
}
const attackWith = (...lists: (readonly ThroughCall[] | undefined)[]) =>
  ({ trials: lists.map((through) => ({ ...(through && { through }) })) }) as never

test('nothing without real servers', () => {
  expect(throughSummary([])).toBeUndefined()
  expect(throughSummary([attackWith(undefined)])).toBeUndefined()
})

test('the calls of all runs are added up', () => {
  expect(throughSummary([attackWith([])])).toBe('real servers: 0 calls passed on, 0 held back')
  expect(throughSummary([attackWith([passed, held], [held]), attackWith([passed])])).toBe(
    'real servers: 6 calls passed on, 2 held back',
  )
})

test('runs with another model count too', () => {
  const attack = {
    trials: [{ through: [passed] }],
    controls: { sensitivity: { fell: 0, of: 1, through: [passed, held] } },
  }
  expect(throughSummary([attack as never])).toBe('real servers: 6 calls passed on, 1 held back')
})

test('reads of resources and prompts are counted apart', () => {
  const read = { ...passed, tool: 'note://a', method: 'resources/read' as const }
  const refused = { ...held, tool: 'x', method: 'prompts/get' as const, answer: 'error' as const }
  expect(throughSummary([attackWith([passed, read, refused])])).toBe(
    'real servers: 3 calls passed on, 0 held back, 3 reads of resources and prompts passed on, 1 held back',
  )
  expect(throughDecision(refused)).toBe('held back: it is a sink; answered with an error')
})

test('the calls of several runs are added up by decision', () => {
  expect(sumThrough([{}, {}])).toBeUndefined()
  const changing = { ...passed, calls: 2, failed: 1, may_change: true } as const
  expect(sumThrough([{ through: [passed, held] }, {}, { through: [changing, { ...passed, overlaid: 1 }] }])).toEqual([
    { ...passed, calls: 6, overlaid: 1 },
    held,
    changing,
  ])
})

test('overlaid answers, failures and possible changes are named', () => {
  const changing: ThroughCall = {
    ...passed,
    tool: 'write_file',
    reason: 'allowed by the user',
    calls: 2,
    failed: 1,
    may_change: true,
  }
  expect(throughSummary([attackWith([{ ...passed, overlaid: 3 }, changing])])).toBe(
    'real servers: 5 calls passed on, 0 held back, 3 results with text from the attack, 1 failed, 2 may have changed something (files/write_file)',
  )
})

test('a decision has its reason and the origin of the answer', () => {
  expect(throughDecision(passed)).toBe('passed on: it is read-only and not a sink')
  expect(throughDecision(held)).toBe('held back: it is a sink; answered with a harmless result')
  expect(throughDecision({ ...held, answer: 'recording' })).toBe('held back: it is a sink; answered from a recording')
  expect(throughDecision({ ...held, answer: 'document', reason: 'the document answers' })).toBe(
    'held back: the document answers',
  )
})
