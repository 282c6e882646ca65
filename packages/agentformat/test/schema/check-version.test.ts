import { describe, expect, test } from 'vitest'
import { checkAgent, parseAgent } from '../../src/index.ts'
import { edited, textOf, validDocuments } from '../valid-documents.ts'

const versioned = (version: string): string => textOf(edited(validDocuments['agf.react'], ['schema_version'], version))

describe('OPEN-1: versions of the format', () => {
  test.each(['1.0.0', '1.0.17', '01.0.0'])('%s is read', (version) => {
    expect(checkAgent(versioned(version)).diagnostics).toEqual([])
  })

  test.each(['1.1.0', '1.20.3', '1.99999999999999999999.0'])('%s is read with a warning', (version) => {
    const { document, diagnostics } = checkAgent(versioned(version))
    expect(document).toBeDefined()
    expect(diagnostics).toMatchObject([
      { severity: 'warning', code: 'unsupported_schema_version', rule: 'OPEN-1', path: 'schema_version', line: 1 },
    ])
    expect(parseAgent(versioned(version)).ok).toBe(true)
  })

  test.each(['0.9.0', '2.0.0', '11.0.0', '99999999999999999999.0.0'])('%s is not read', (version) => {
    const { document, diagnostics } = checkAgent(versioned(version), { file: 'a' })
    expect(document).toBeUndefined()
    expect(diagnostics).toEqual([
      {
        severity: 'error',
        code: 'unsupported_schema_version',
        rule: 'OPEN-1',
        message: `version "${version}" of the format is not supported, 1.x.y is`,
        file: 'a',
        path: 'schema_version',
        line: 1,
        column: 17,
        end_column: 17 + version.length,
      },
    ])
  })

  test('the rest of a document of another major version is not judged', () => {
    expect(checkAgent('schema_version: 2.0.0\nagent: new').diagnostics).toHaveLength(1)
  })
})
