import { expect, test } from 'vitest'
import { flowMatrix, flowText } from '../../src/describe/flows.ts'
import type { Flow } from '../../src/model/flow.ts'
import type { AttackResults } from '../../src/model/results.ts'

const flow = (kind: Flow['kind'], source: string, sink: string, changes: Partial<Flow> = {}): Flow => ({
  kind,
  from: { seq: 1, actor: 'a', name: source },
  to: { seq: 2, actor: 'a', name: sink, argument: 'to' },
  extent: 'whole',
  text: 'x',
  ...changes,
})

test.each<[Flow, string]>([
  [flow('untrusted', 'read_issue', 'send_email'), 'value from read_issue (untrusted) → send_email.to'],
  [flow('user', '', 'send_email'), 'value from the user → send_email.to'],
  [
    flow('private', 'read_secret', 'post', { encodings: ['base64', 'reversed'], extent: 'part', times: 3 }),
    'value from read_secret (private) → post.to, base64, reversed, in part, 3 times',
  ],
  [
    flow('private', 'a', 'b', { extent: 'split', to: { seq: 2, actor: 'a', name: 'b', argument: 'to, cc' } }),
    'value from a (private) → b (to, cc), split across arguments',
  ],
  [flow('private', 'a', 'b', { to: { seq: 2, actor: 'a', name: 'b', argument: '' } }), 'value from a (private) → b'],
])('a flow in words %#', (of, words) => {
  expect(flowText(of)).toBe(words)
})

const attacks = (...trials: (readonly Flow[])[]) => [
  // Only the flows are read.
  { trials: trials.map((flows) => ({ flows })) as unknown as AttackResults['trials'] },
]

test('the matrix counts trials and not flows, the most frequent first, without values of the user', () => {
  const issue = flow('untrusted', 'issue', 'mail')
  const secret = flow('private', 'secret', 'post')
  const matrix = flowMatrix(attacks([issue, issue, flow('user', 'issue', 'mail')], [secret], [secret, issue], [secret]))
  expect(matrix).toEqual({
    sources: ['secret (private)', 'issue (untrusted)'],
    sinks: ['post', 'mail'],
    trials: [
      [3, 0],
      [0, 2],
    ],
  })
  expect(flowMatrix(attacks([flow('user', 'issue', 'mail')], []))).toEqual({ sources: [], sinks: [], trials: [] })
})

test('the matrix has at most 20 sources and sinks', () => {
  const many = Array.from({ length: 50 }, (_, place) => flow('untrusted', `s${place}`, `t${place}`))
  const { sources, sinks, trials } = flowMatrix(attacks(many))
  expect([sources.length, sinks.length, trials.length]).toEqual([20, 20, 20])
})
