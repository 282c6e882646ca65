import { expect, test } from 'vitest'
import { splitTemplate } from '../../src/primitives/template.ts'
import { crossActorReference, isMessageReference, referencesOf } from '../../src/rules/references.ts'

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
