import { describe, expect, test } from 'vitest'
import { checkAgent, parseAgent } from '../../src/index.ts'
import { edited, textOf, validDocuments } from '../valid-documents.ts'

const react = validDocuments['agf.react']

describe('the shape of a document', () => {
  test.each(Object.entries(validDocuments))('%s is valid', (_id, document) => {
    expect(checkAgent(textOf(document))).toEqual({ document, diagnostics: [] })
  })

  test('reports all problems, in reading order', () => {
    const text = [
      'schema_version: 1.0.0',
      'metadata: { id: UPPER, name: "", description: x }',
      'interface:',
      '  input: string',
      '  output: { type: object, properties: { a: { type: txt } } }',
      'execution_policy: { id: agf.loop, config: { steps: [], max_iterations: 0 } }',
    ].join('\n')
    expect(checkAgent(text, { file: 'a' }).diagnostics.map(({ path, line, column }) => [path, line, column])).toEqual([
      ['metadata.version', 2, 1],
      ['metadata.id', 2, 17],
      ['metadata.name', 2, 30],
      ['interface.input', 4, 10],
      ['interface.output.properties.a.type', 5, 52],
      ['execution_policy.config.steps', 6, 52],
      ['execution_policy.config.max_iterations', 6, 72],
    ])
  })

  test('an unknown operator is reported at its key', () => {
    const path = ['action_space', 'local_tools', 0, 'approval', 'condition']
    const { diagnostics } = checkAgent(textOf(edited(react, path, { args_match: { amount: { above: 1 } } })))
    expect(diagnostics).toMatchObject([
      { path: 'action_space.local_tools[0].approval.condition.args_match.amount.above' },
    ])
    expect(diagnostics[0]?.end_column).toBe((diagnostics[0]?.column ?? 0) + 'above'.length)
  })

  test('the configuration of a vendor policy is not checked', () => {
    for (const id of ['x-vendor.policy', 'agf.unknown', 'react']) {
      const document = { ...react, execution_policy: { id, config: { steps: 5, model: null } } }
      expect(checkAgent(textOf(document)).diagnostics).toEqual([])
    }
    expect(checkAgent(textOf({ ...react, execution_policy: { id: 'x-a', config: [] } })).diagnostics).toHaveLength(1)
  })

  test('an empty document lacks the required fields', () => {
    expect(checkAgent('{}').diagnostics.map(({ path }) => path)).toEqual([
      'execution_policy',
      'interface',
      'metadata',
      'schema_version',
    ])
  })
})

describe('OPEN-6: the schemas of an interface', () => {
  const output = (schema: object) => {
    const { document, diagnostics } = checkAgent(textOf(edited(react, ['interface', 'output'], schema as never)), {
      file: 'a',
    })
    return { isThere: document !== undefined, diagnostics }
  }

  test('are checked at every level', () => {
    expect(output({ type: 'object', properties: { a: { type: 'strin' } } })).toMatchObject({
      isThere: true,
      diagnostics: [
        {
          severity: 'error',
          code: 'invalid_interface_schema',
          rule: 'OPEN-6',
          file: 'a',
          path: 'interface.output.properties.a.type',
          suggestion: { replace: 'value', with: 'string' },
        },
      ],
    })
  })

  test('a reference to another document is an error at the reference', () => {
    expect(output({ $ref: 'https://example.org/schema' }).diagnostics).toMatchObject([
      { code: 'invalid_interface_schema', path: 'interface.output.$ref' },
    ])
  })

  test('a bad type at the root is reported once', () => {
    expect(output({ type: 'strin' }).diagnostics).toMatchObject([
      { code: 'schema_violation', path: 'interface.output.type' },
    ])
    expect(output({ type: ['object', 'strin'] }).diagnostics).toHaveLength(1)
  })

  test('`{}`, `enum`, `anyOf` and `$ref` are valid at the root', () => {
    for (const schema of [{}, { enum: [1] }, { anyOf: [true] }, { $ref: '#/$defs/a', $defs: { a: {} } }]) {
      expect(output(schema).diagnostics).toEqual([])
    }
  })
})

describe('the homepage', () => {
  const withHomepage = (homepage: string) => checkAgent(textOf(edited(react, ['metadata', 'homepage'], homepage)))

  test.each(['https://example.org/a?b=c#d', 'mailto:a@b.c', 'urn:isbn:1'])('may be %s', (homepage) => {
    expect(withHomepage(homepage).diagnostics).toEqual([])
  })

  test.each(['example.org', '', '/docs', 'https:', 'https://example.org/a b', 'https://exämple.org'])(
    'warns: %j',
    (homepage) => {
      const { document, diagnostics } = withHomepage(homepage)
      expect(document).toBeDefined()
      expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'invalid_homepage', path: 'metadata.homepage' }])
    },
  )
})

const versioned = (version: string): string => textOf(edited(validDocuments['agf.react'], ['schema_version'], version))

describe('OPEN-1: versions of the format', () => {
  test.each(['1.0.0', '1.0.17', '01.0.0'])('%s is accepted', (version) => {
    expect(checkAgent(versioned(version)).diagnostics).toEqual([])
  })

  test.each(['1.1.0', '1.20.3', '1.99999999999999999999.0'])('%s is accepted with a warning', (version) => {
    const { document, diagnostics } = checkAgent(versioned(version))
    expect(document).toBeDefined()
    expect(diagnostics).toMatchObject([
      { severity: 'warning', code: 'unsupported_schema_version', rule: 'OPEN-1', path: 'schema_version', line: 1 },
    ])
    expect(parseAgent(versioned(version)).ok).toBe(true)
  })

  test.each(['0.9.0', '2.0.0', '11.0.0', '99999999999999999999.0.0'])('%s is rejected', (version) => {
    const { document, diagnostics } = checkAgent(versioned(version), { file: 'a' })
    expect(document).toBeUndefined()
    expect(diagnostics).toEqual([
      {
        severity: 'error',
        code: 'unsupported_schema_version',
        rule: 'OPEN-1',
        message: `unsupported schema_version "${version}"; expected 1.x.y`,
        file: 'a',
        path: 'schema_version',
        line: 1,
        column: 17,
        end_column: 17 + version.length,
      },
    ])
  })

  test('a document of another major version is not checked further', () => {
    expect(checkAgent('schema_version: 2.0.0\nagent: new').diagnostics).toHaveLength(1)
  })
})
