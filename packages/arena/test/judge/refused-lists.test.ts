import type { Value } from '@joust/source'
import { expect, test } from 'vitest'
import { watchLists } from '../../src/judge/untested.ts'
import { entry } from '../support/entries.ts'

const listed = (inputSchema: Value) => {
  const tools = [
    { name: 'read', inputSchema: { type: 'object' } },
    { name: 'send', inputSchema },
  ]
  return entry({ surface: 'tools/list', direction: 'response', flow: 'out', content: { tools } })
}
const SENTENCE = 'clients refuse the tools of default: send has no inputSchema of type object'

test.each([
  ['no type', [listed({}), listed({})], [SENTENCE]],
  ['another type', [listed({ type: 'string' })], [SENTENCE]],
  ['nothing wrong', [listed({ type: 'object' })], []],
  ['a call, so that somebody has taken the list', [listed({}), entry()], []],
])('%s', (_, trace, sentences) => {
  const lists = watchLists()
  for (const one of trace) lists.take(one)
  expect(lists.signs()).toEqual(sentences)
})
