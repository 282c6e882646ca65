import { describe, expect, test } from 'vitest'
import type { AgentDocument } from '../../src/index.ts'
import { locate, originOf, parseAgent } from '../../src/index.ts'
import { textOf, validDocuments } from '../valid-documents.ts'

const text = `# an agent\n${textOf(validDocuments['agf.batch'])}`
const parsed = parseAgent(text, { file: 'a.agf.yaml' })

describe('the origin of a document', () => {
  test('is its text', () => {
    expect(parsed.ok && originOf(parsed.value)?.text).toBe(text)
  })

  test('is invisible', () => {
    expect(parsed.ok && Object.keys(parsed.value)).toEqual(Object.keys(validDocuments['agf.batch']))
    expect(parsed.ok && parsed.value).toEqual(validDocuments['agf.batch'])
    expect(parsed.ok && JSON.parse(JSON.stringify(parsed.value))).toEqual(validDocuments['agf.batch'])
  })

  test('is unknown for a document built in memory, and for other values', () => {
    expect(originOf(validDocuments['agf.batch'] as unknown as AgentDocument)).toBeUndefined()
    expect(originOf(null as unknown as AgentDocument)).toBeUndefined()
    expect(locate(null as unknown as AgentDocument, ['a', 0])).toEqual({ path: 'a[0]' })
  })
})

describe('locate', () => {
  const document = parsed.ok ? parsed.value : undefined

  test('returns the file, path and position of a value', () => {
    expect(document && locate(document, ['metadata', 'name'])).toEqual({
      file: 'a.agf.yaml',
      path: 'metadata.name',
      line: 5,
      column: 9,
      end_column: 15,
    })
  })

  test('returns those of a key on request', () => {
    expect(document && locate(document, ['metadata', 'name'], 'key')).toMatchObject({
      line: 5,
      column: 3,
      end_column: 7,
    })
  })

  test('returns the nearest position for a missing path', () => {
    expect(document && locate(document, ['metadata', 'license'])).toMatchObject({ path: 'metadata.license', line: 3 })
  })

  test('needs no file', () => {
    const unnamed = parseAgent(text)
    expect(unnamed.ok && locate(unnamed.value, ['metadata'])).not.toHaveProperty('file')
  })
})
