import { describe, expect, test } from 'vitest'
import { createFileNames } from '../../src/files/file-names.ts'

describe('names of files', () => {
  test('contain only portable characters', () => {
    const nameOf = createFileNames([
      'library/time-bomb.oatf.yaml',
      '../x.yaml',
      '.oatf.yaml',
      `${'a'.repeat(90)}/b.json`,
    ])
    expect(nameOf('library/time-bomb.oatf.yaml')).toBe('library-time-bomb')
    expect(nameOf('../x.yaml')).toBe('x')
    expect(nameOf('.oatf.yaml')).toBe('unnamed')
    expect(nameOf(`${'a'.repeat(90)}/b.json`)).toBe(`${'a'.repeat(78)}-b`)
  })

  test('are unique, regardless of the order', () => {
    const texts = ['a b.yaml', 'a-b.yaml', 'A-B.yaml', 'c.yaml']
    const [one, other] = [createFileNames(texts), createFileNames(texts.toReversed())]
    const names = texts.map(one)
    expect(texts.map(other)).toEqual(names)
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(4)
    expect(names[3]).toBe('c')
  })

  test('have a fingerprint for unlisted texts', () => {
    const nameOf = createFileNames(['a.yaml'])
    expect(nameOf('a.yml')).toMatch(/^a-[0-9a-f]{8}$/)
    expect(nameOf('a.yaml')).toBe('a')
  })
})
