import { defaultLimits } from '@joust/source'
import { expect, test } from 'vitest'
import { celReads } from '../../src/adapters/cel-reads.ts'

const shown = (expression: string) =>
  celReads(expression, defaultLimits)?.map(({ root, steps, tested }) => {
    const path = steps.map((step) => (step === 'each' ? '[*]' : `.${step.field}`)).join('')
    return `${root}${path}${tested ? '?' : ''}`
  })

test.each([
  ['message.a.b == 1', ['message.a.b']],
  ['has(message.a.b) && message.a.b > 1', ['message.a.b?', 'message.a.b']],
  ['message["a"][0].b[1u]', ['message.a[*].b[*]']],
  ['message.a[message.b].c', ['message.a', 'message.b']],
  ['size(message.a) > 1 ? x : message', ['message.a', 'x', 'message']],
  [
    'message.a.exists(i, i.b == y && i.c.all(j, j.d))',
    ['message.a', 'message.a[*].b', 'y', 'message.a[*].c', 'message.a[*].c[*].d'],
  ],
  ['message.a.map(i, i.b).exists(k, k.c)', ['message.a', 'message.a[*].b']],
  ['[message.a, {"k": message.b}].size() == 2', ['message.a', 'message.b']],
  ['message.a.filter(message, message.b).size() > 0', ['message.a', 'message.a[*].b', 'message.a[*]']],
  ['"text" == "text"', []],
] as const)('%s', (expression, reads) => {
  expect(shown(expression)).toEqual(reads)
})

test.each(['1 +', '', `${'('.repeat(500)}1`])('%j reads nothing that can be told', (expression) => {
  expect(celReads(expression, defaultLimits)).toBeUndefined()
})
