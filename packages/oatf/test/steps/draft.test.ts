import { describe, expect, test } from 'vitest'
import { attackOf, defaultActor, mappingAt, mappingsAt, phaseLists, setDefault } from '../../src/steps/draft.ts'

describe('looking into a draft', () => {
  test('mappingAt takes own mappings only', () => {
    expect(mappingAt({ a: { b: 1 } }, 'a')).toEqual({ b: 1 })
    for (const value of [null, 1, 'x', []]) expect(mappingAt({ a: value }, 'a')).toBeUndefined()
    expect(mappingAt({}, 'constructor')).toBeUndefined()
    expect(mappingAt({}, '__proto__')).toBeUndefined()
    expect(mappingAt(undefined, 'a')).toBeUndefined()
  })

  test('mappingsAt keeps the indices of skipped items', () => {
    expect(mappingsAt({ list: [{ a: 1 }, null, 'x', { b: 2 }] }, 'list')).toEqual([
      [0, { a: 1 }],
      [3, { b: 2 }],
    ])
    expect(mappingsAt({ list: { a: 1 } }, 'list')).toEqual([])
    expect(mappingsAt(undefined, 'list')).toEqual([])
  })

  test('phaseLists finds phases in every form', () => {
    const draft = { attack: { execution: { phases: [{ n: 1 }], actors: [{ phases: [{ n: 2 }] }, {}] } } }
    expect(phaseLists(draft)).toEqual([[[0, { n: 1 }]], [[0, { n: 2 }]], []])
    expect(attackOf({ attack: [] })).toBeUndefined()
  })
})

test('setDefault keeps existing values, null and false included', () => {
  const draft = { a: null, b: false }
  setDefault(draft, 'a', 1)
  setDefault(draft, 'b', 1)
  setDefault(draft, 'c', 1)
  expect(draft).toEqual({ a: null, b: false, c: 1 })
})

test('the default actor has no mode if none is known', () => {
  expect(defaultActor('mcp_server', [])).toEqual({ name: 'default', mode: 'mcp_server', phases: [] })
  expect(defaultActor(undefined, [])).toEqual({ name: 'default', phases: [] })
})
