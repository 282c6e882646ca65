import { describe, expect, test } from 'vitest'
import { graphFolder, sourceId } from '../../src/sources/read-graph.ts'

const id = (source: string, from: string, entry = from, sourceType = 'file') =>
  sourceId({ source, sourceType, from }, graphFolder(entry), true)

describe('R-16, OPEN-45: paths are relative to the referring file', () => {
  test.each([
    ['./agents/a.agf.yaml', 'main.agf.yaml', 'agents/a.agf.yaml'],
    ['a.agf.yaml', 'desk/main.agf.yaml', 'desk/a.agf.yaml'],
    ['./x//y/./z.agf.yaml', '/home/me/main.agf.yaml', '/home/me/x/y/z.agf.yaml'],
    ['b.agf.yaml', 'https://example.com/desk/main.agf.yaml', 'https://example.com/desk/b.agf.yaml'],
    ['x/../main.agf.yaml', './main.agf.yaml', './main.agf.yaml'],
  ])('%s in %s is %s', (source, from, expected) => {
    expect(id(source, from)).toEqual({ ok: true, value: expected })
  })

  test('a path may go up to the folder of the entry, and no further', () => {
    expect(id('../b.agf.yaml', 'desk/agents/a.agf.yaml', 'desk/main.agf.yaml')).toEqual({
      ok: true,
      value: 'desk/b.agf.yaml',
    })
    expect(id('../../b.agf.yaml', 'desk/agents/a.agf.yaml', 'desk/main.agf.yaml')).toMatchObject({ ok: false })
  })

  test.each([
    ['/etc/passwd', 'absolute'],
    ['../../etc/passwd', 'outside'],
    ['a/../../b', 'outside'],
    ['https://example.com/a.agf.yaml', 'URL'],
    ['file:///etc/passwd', 'URL'],
    ['C:/windows/a.agf.yaml', 'drive'],
    ['c:a', 'drive'],
    ['..\\..\\a.agf.yaml', 'backslash'],
    ['a\0b', 'null character'],
  ])('%j is rejected: %s', (source, reason) => {
    const result = id(source, 'desk/main.agf.yaml')
    const isOutside = reason === 'outside' && { reason: 'outside_folder' }
    expect(result).toEqual({ ok: false, error: { message: expect.stringContaining(reason), ...isOutside } })
  })
})

test('OPEN-45: the id of another source includes its type', () => {
  expect(id('acme/a@1', 'main.agf.yaml', 'main.agf.yaml', 'registry')).toEqual({ ok: true, value: 'registry:acme/a@1' })
})

test('OPEN-45: a document that is not a file cannot refer to files', () => {
  const ref = { source: './b.agf.yaml', sourceType: 'file', from: 'registry:acme/a' }
  expect(sourceId(ref, '', false)).toMatchObject({ ok: false })
})
