import { deepEqual, type Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import type { Phase } from '../../src/model/document.ts'
import { computeEffectiveState } from '../../src/primitives/compute-effective-state.ts'
import { deepFreeze, deepRecord } from '../deep-value.ts'

const phases: readonly Phase[] = deepFreeze([
  { name: 'calm', state: { tools: [{ name: 'a' }], prompts: [] } },
  { name: 'still calm' },
  { name: 'swap', state: { tools: [{ name: 'b' }] } },
  { name: 'after' },
  { name: 'end', state: {} },
])

describe('computeEffectiveState', () => {
  test.each<[index: number, expected: Value]>([
    [0, { tools: [{ name: 'a' }], prompts: [] }],
    [1, { tools: [{ name: 'a' }], prompts: [] }],
    // a new state replaces the old one entirely: no prompts are left
    [2, { tools: [{ name: 'b' }] }],
    [3, { tools: [{ name: 'b' }] }],
    [4, {}],
  ])('phase %i', (index, expected) => {
    expect(computeEffectiveState(phases, index)).toEqual(expected)
  })

  test('a state of null is not a state', () => {
    expect(computeEffectiveState([{ state: { a: 1 } }, { state: null }], 1)).toEqual({ a: 1 })
  })

  test('later phases do not matter', () => {
    expect(computeEffectiveState([{}, { state: { late: true } }], 0)).toBeNull()
  })

  test.each([[-1], [Number.NaN]])('before the first phase (%d) there is none', (index) => {
    expect(computeEffectiveState(phases, index)).toBeNull()
  })

  test('after the last phase its state stays, and no phases have none', () => {
    expect(computeEffectiveState(phases, 99)).toEqual({})
    expect(computeEffectiveState([], 0)).toBeNull()
  })

  test('the state is a copy', () => {
    const own: Phase[] = [{ state: { tools: ['a'] } }]
    const state = computeEffectiveState(own, 0) as { tools: string[] }
    state.tools.push('b')
    expect(own[0]?.state).toEqual({ tools: ['a'] })
  })

  test('no depth is too deep', () => {
    const deep = deepRecord(100_000)
    expect(deepEqual(computeEffectiveState([{ state: deep }, {}], 1), deep)).toBe(true)
  })
})
