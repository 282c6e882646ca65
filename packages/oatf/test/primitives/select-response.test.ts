import type { Value } from '@joust/source'
import { describe, expect, test, vi } from 'vitest'
import type { ResponseEntry } from '../../src/model/document.ts'
import { selectResponse } from '../../src/primitives/select-response.ts'

const ls: ResponseEntry = { when: { command: 'ls' }, content: 'files' }
const any: ResponseEntry = { when: { command: { exists: true } }, content: 'anything' }
const fallback: ResponseEntry = { content: 'fallback' }
const second: ResponseEntry = { content: 'second fallback' }

describe('selectResponse', () => {
  test.each<[title: string, entries: ResponseEntry[], request: Value, expected: ResponseEntry | undefined]>([
    ['the entry that fits', [ls, fallback], { command: 'ls' }, ls],
    ['the first that fits wins', [any, ls], { command: 'ls' }, any],
    ['order decides, not precision', [ls, any], { command: 'ls' }, ls],
    ['the one that fits though others do not', [ls, any], { command: 'rm' }, any],
    ['the fallback when none fits', [ls, fallback], { command: 'rm' }, fallback],
    ['the fallback waits, wherever it stands', [fallback, ls], { command: 'ls' }, ls],
    ['the first of two fallbacks', [fallback, ls, second], {}, fallback],
    ['nothing fits', [ls], { command: 'rm' }, undefined],
    ['no entries', [], { command: 'ls' }, undefined],
    ['an empty predicate fits everything', [{ when: {}, content: 1 }, ls], { command: 'ls' }, { when: {}, content: 1 }],
    ['a request that is not an object', [ls, fallback], 'ls', fallback],
  ])('%s', (_, entries, request, expected) => {
    expect(selectResponse(entries, request)).toEqual(expected)
  })

  test('returns the entry itself, not a copy', () => {
    expect(selectResponse([ls], { command: 'ls' })).toBe(ls)
  })

  test('a predicate that cannot be evaluated is reported, and the next entry is tried', () => {
    const onError = vi.fn()
    const broken: ResponseEntry = { when: { command: { regex: '(' } }, content: 'broken' }
    expect(selectResponse([broken, ls], { command: 'ls' }, { onError })).toBe(ls)
    expect(onError).toHaveBeenCalledOnce()
  })

  test('values that are not entries are skipped', () => {
    const entries = [null, 'text', 5, ['x'], { when: null, content: 'null is not a predicate' }, fallback]
    expect(selectResponse(entries as unknown as ResponseEntry[], {})).toBe(fallback)
  })
})
