import { describe, expect, test } from 'vitest'
import { graphFolder, sourceId } from '../../src/sources/read-graph.ts'

const id = (source: string, from: string, entry = from, sourceType = 'file') =>
  sourceId({ source, sourceType, from }, graphFolder(entry), true)

describe('R-16, OPEN-45: files are relative to the file that names them', () => {
  test.each([
    ['./agents/a.agf.yaml', 'main.agf.yaml', 'agents/a.agf.yaml'],
    ['a.agf.yaml', 'desk/main.agf.yaml', 'desk/a.agf.yaml'],
    ['./x//y/./z.agf.yaml', '/home/me/main.agf.yaml', '/home/me/x/y/z.agf.yaml'],
    ['b.agf.yaml', 'https://example.com/desk/main.agf.yaml', 'https://example.com/desk/b.agf.yaml'],
    ['x/../main.agf.yaml', './main.agf.yaml', './main.agf.yaml'],
  ])('%s in %s is %s', (source, from, expected) => {
    expect(id(source, from)).toEqual({ ok: true, value: expected })
  })

  test('a file below the entry may go back up to its folder, and no further', () => {
    expect(id('../b.agf.yaml', 'desk/agents/a.agf.yaml', 'desk/main.agf.yaml')).toEqual({
      ok: true,
      value: 'desk/b.agf.yaml',
    })
    expect(id('../../b.agf.yaml', 'desk/agents/a.agf.yaml', 'desk/main.agf.yaml')).toMatchObject({ ok: false })
  })

  test.each([
    ['/etc/passwd', 'absolute'],
    ['../../etc/passwd', 'leads outside the folder'],
    ['a/../../b', 'leads outside the folder'],
    ['https://example.com/a.agf.yaml', 'URL'],
    ['file:///etc/passwd', 'URL'],
    ['C:/windows/a.agf.yaml', 'drive'],
    ['c:a', 'drive'],
    ['..\\..\\a.agf.yaml', 'backslash'],
    ['a\0b', 'null character'],
  ])('%j is refused: %s', (source, reason) => {
    const found = id(source, 'desk/main.agf.yaml')
    expect(found).toMatchObject({ ok: false })
    expect(found.ok ? '' : found.error).toContain(reason)
  })
})

test('OPEN-45: other sources are named by their type', () => {
  expect(id('acme/a@1', 'main.agf.yaml', 'main.agf.yaml', 'registry')).toEqual({ ok: true, value: 'registry:acme/a@1' })
})

test('OPEN-45: a document that is not a file cannot name files', () => {
  const ref = { source: './b.agf.yaml', sourceType: 'file', from: 'registry:acme/a' }
  expect(sourceId(ref, '', false)).toMatchObject({ ok: false })
})
