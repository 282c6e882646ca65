import type { Value } from '@joust/source'
import { expect, test } from 'vitest'
import { entry } from '../../../results/test/support/entries.ts'
import { watchLists } from '../../src/judge/untested.ts'

const listed = (inputSchema: Value) => {
  const tools = [
    { name: 'read', inputSchema: { type: 'object' } },
    { name: 'send', inputSchema },
  ]
  return entry({ surface: 'tools/list', direction: 'response', flow: 'out', content: { tools } })
}
const SENTENCE = 'clients reject the tool list of default: send has no inputSchema of type object'

test.each([
  ['no type', [listed({}), listed({})], [SENTENCE]],
  ['another type', [listed({ type: 'string' })], [SENTENCE]],
  ['nothing wrong', [listed({ type: 'object' })], []],
  ['a call, which shows that the list was accepted', [listed({}), entry()], []],
])('%s', (_, trace, sentences) => {
  const lists = watchLists()
  for (const one of trace) lists.take(one)
  expect(lists.signs()).toEqual(sentences)
})
