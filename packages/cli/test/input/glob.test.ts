import { describe, expect, test } from 'vitest'
import { expandBraces, globBase, hasGlob, matchesGlob } from '../../src/input/glob.ts'

describe('matchesGlob', () => {
  test.each([
    ['*.yaml', 'a.yaml'],
    ['*', 'a'],
    ['a?c', 'abc'],
    ['**/*.yaml', 'a.yaml'],
    ['**/*.yaml', 'x/y/a.yaml'],
    ['x/**/a.yaml', 'x/a.yaml'],
    ['x/**', 'x/y/z'],
    ['**/x/**/*.y*', 'a/x/b/x/c.yml'],
    ['.hidden/*', '.hidden/a'],
    ['a*b*c', 'aXbXbXc'],
    ['[x].yaml', '[x].yaml'],
  ])('%s matches %s', (pattern, path) => {
    expect(matchesGlob(pattern, path)).toBe(true)
  })

  test.each([
    ['*.yaml', 'x/a.yaml'],
    ['*.yaml', 'a.yml'],
    ['*', '.hidden'],
    ['a?c', 'ac'],
    ['x/*', 'x'],
    ['**/*.yaml', 'a.yaml/b'],
    ['', 'a'],
    ['(a+)+', 'aa'],
  ])('%s does not match %s', (pattern, path) => {
    expect(matchesGlob(pattern, path)).toBe(false)
  })

  test('stays quick however many stars there are', () => {
    expect(matchesGlob(`${'*a'.repeat(40)}b`, 'a'.repeat(4000))).toBe(false)
    expect(matchesGlob(`${'**/a/'.repeat(40)}b`, 'a/'.repeat(2000))).toBe(false)
  })
})

test('expandBraces', () => {
  expect(expandBraces('a')).toEqual(['a'])
  expect(expandBraces('{a,b}/{c,}')).toEqual(['a/c', 'a/', 'b/c', 'b/'])
  expect(expandBraces('{a,{b,c}}')?.sort()).toEqual(['a', 'a', 'b', 'c'])
  expect(expandBraces('{a')).toEqual(['{a'])
  expect(expandBraces('{a,b}'.repeat(20))).toBeUndefined()
})

test('globBase', () => {
  expect(globBase('a/b/*.yaml')).toBe('a/b')
  expect(globBase('*.yaml')).toBe('.')
  expect(globBase('/*')).toBe('/')
  expect(globBase('a/b')).toBe('a/b')
})

test('hasGlob', () => {
  expect(['*', 'a?', '{a}'].map(hasGlob)).toEqual([true, true, true])
  expect(hasGlob('plain/path.yaml')).toBe(false)
})
