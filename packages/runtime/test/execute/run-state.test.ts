import { describe, expect, it } from 'vitest'
import { frozenCopy } from '../../src/execute/run-state.ts'

describe('a frozen copy', () => {
  it('is equal, shares nothing, and is frozen at every depth', () => {
    const original = JSON.parse('{"a": [{"b": 1}], "__proto__": {"c": 2}}')
    const copy = frozenCopy(original)
    expect(copy).toEqual(original)
    expect(Object.hasOwn(copy, '__proto__')).toBe(true)
    expect(() => copy.a.push(2)).toThrow(TypeError)
    expect(() => Object.assign(copy.a[0], { b: 2 })).toThrow(TypeError)
    original.a[0].b = 3
    expect(copy.a[0].b).toBe(1)
  })

  it('of a circular value is circular', () => {
    const cycle: unknown[] = []
    cycle.push(cycle)
    const copy = frozenCopy(cycle)
    expect(copy[0]).toBe(copy)
  })
})
