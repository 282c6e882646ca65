import type { Value } from '@joust/source'
import { expect, test } from 'vitest'
import { splitTemplate } from '../../src/primitives/template.ts'
import { crossActorReference, findTemplates, isMessageReference, referencesOf } from '../../src/walk/templates.ts'

const paths = (value: Value) => findTemplates(value, ['root']).map((template) => template.path)

test('finds templates in strings at any depth, not in keys', () => {
  const value = { a: ['{{x}}', 'plain', { '{{key}}': 'plain', b: '{{y}}' }], c: null, d: 5 }
  expect(paths(value).sort()).toEqual([
    ['root', 'a', 0],
    ['root', 'a', 2, 'b'],
  ])
})

test('takes a value that is a string itself', () => {
  expect(findTemplates('{{x}}', ['root'])).toEqual([{ path: ['root'], parts: [{ kind: 'reference', name: 'x' }] }])
  expect(findTemplates('plain', ['root'])).toEqual([])
})

test('ends on a cycle', () => {
  const cyclic: Record<string, Value> = { text: '{{x}}' }
  cyclic.self = cyclic
  expect(paths(cyclic)).toEqual([['root', 'text']])
})

test('a value nested a hundred thousand deep is not a problem', () => {
  let value: Value = '{{x}}'
  for (let depth = 0; depth < 100_000; depth++) value = [value]
  expect(paths(value)[0]).toHaveLength(100_001)
})

test('lists each reference of a template once, in order', () => {
  const parts = splitTemplate('{{b}} and {{a}}, {{b}}, \\{{c}} {{d')
  expect([...referencesOf({ path: [], parts })]).toEqual(['b', 'a'])
})

test.each(['actor', 'a.b.c', ' a.b', 'a.b ', '.b', 'a.', 'a-b.c', '1a.b', 'request.a', 'response.a', 'a.b\n'])(
  '%j is not a cross-actor reference',
  (reference) => {
    expect(crossActorReference(reference)).toBeUndefined()
  },
)

test('takes a cross-actor reference apart', () => {
  expect(crossActorReference('mail_server.code2')).toEqual({ actor: 'mail_server', extractor: 'code2' })
  expect(crossActorReference('requests.a')).toEqual({ actor: 'requests', extractor: 'a' })
})

test('knows what reads the message at hand', () => {
  expect(['request.a.b', 'response.a', 'request', 'requests.a'].map(isMessageReference)).toEqual([
    true,
    true,
    false,
    false,
  ])
})
