import type { Path, Value } from '@joust/source'
import { messageWithHint } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { parseAgent } from '../../../src/index.ts'
import { edited, textOf, validDocuments } from '../../valid-documents.ts'

const BOOLEAN = 'expected true or false or a mapping'
const YAML = 'in YAML 1.2 this is a string'

const config = ['execution_policy', 'config'] as const
const tool = ['action_space', 'local_tools', 0] as const

/** The first diagnostic after changing one value of the react document. */
function diagnosticsAfter(path: Path, value: Value | undefined) {
  const parsed = parseAgent(textOf(edited(validDocuments['agf.react'], path, value)))
  return parsed.ok
    ? []
    : parsed.error.map((diagnostic) => ({
        code: diagnostic.code,
        rule: diagnostic.rule,
        at: diagnostic.path,
        message: messageWithHint(diagnostic),
      }))
}

describe('advice for common mistakes', () => {
  test.each<[string, Path, Value | undefined, string, string | undefined]>([
    [
      'OPEN-5: shorthand',
      ['interface', 'input'],
      'string',
      'expected a mapping, got "string"; write a JSON Schema: { type: string }',
      'OPEN-5',
    ],
    [
      'OPEN-5: shorthand',
      ['interface', 'output'],
      'some text',
      'expected a mapping, got "some text"; write a JSON Schema: { type: string }',
      'OPEN-5',
    ],
    ['boolean schema', ['interface', 'input'], true, 'expected a mapping, got true', undefined],
    [
      'root type list',
      ['interface', 'input', 'type'],
      ['object'],
      'expected a string, got a list; the root must have a single type; use "anyOf" without "type" for several types',
      undefined,
    ],
    ['R-01', ['schema_version'], undefined, '"schema_version" is missing', 'R-01'],
    [
      'R-02',
      ['schema_version'],
      '1.0',
      '"1.0" does not match the pattern "^[0-9]+\\\\.[0-9]+\\\\.[0-9]+$": three numbers, for example "1.0.0"',
      'R-02',
    ],
    ['OPEN-4: number', ['schema_version'], 1, 'expected a string, got 1; put it in quotes', 'OPEN-4'],
    ['OPEN-4: number', ['metadata', 'version'], 1.5, 'expected a string, got 1.5; put it in quotes', 'OPEN-4'],
    ['OPEN-4: label', ['metadata', 'labels', 'team'], true, 'expected a string, got true; put it in quotes', 'OPEN-4'],
    ['OPEN-4: yes', [...tool, 'approval'], 'yes', `${BOOLEAN}, got "yes"; ${YAML}; write true`, 'OPEN-4'],
    ['OPEN-4: off', [...tool, 'approval'], 'off', `${BOOLEAN}, got "off"; ${YAML}; write false`, 'OPEN-4'],
    ['approval null', [...tool, 'approval'], null, `${BOOLEAN}, got null`, undefined],
    ['approval text', [...tool, 'approval'], 'always', 'expected true or false or a mapping, got "always"', undefined],
    [
      'eq',
      [...tool, 'approval', 'condition'],
      { args_match: { a: { eq: 1 } } },
      '"eq" is not allowed here. Known: gt, gte, lt, lte, ne, pattern, in, not_in.; for equality, write the value itself without an operator',
      undefined,
    ],
    [
      'operator',
      [...tool, 'approval', 'condition'],
      { args_match: { a: { notin: [1] } } },
      '"notin" is not allowed here. Did you mean "not_in"?',
      undefined,
    ],
    [
      'null literal',
      [...tool, 'approval', 'condition'],
      { args_match: { a: null } },
      'expected a string or a number or true or false or a mapping, got null; null cannot be matched',
      undefined,
    ],
    [
      'ordered text',
      [...tool, 'approval', 'condition'],
      { args_match: { a: { gt: '5' } } },
      'expected a number, got "5"',
      undefined,
    ],
    ['no group', [...tool, 'approval', 'condition'], [], 'must not be empty', undefined],
    [
      'alias',
      [...tool, 'alias'],
      'my-tool',
      '"my-tool" does not match the pattern "^[a-zA-Z_][a-zA-Z0-9_]*$": an alias consists of letters, digits and underscores, and does not start with a digit',
      undefined,
    ],
    ['no model', [...config, 'model'], undefined, '"model" is missing', undefined],
    [
      'tool choice',
      [...config, 'tool_choice'],
      'requird',
      'must be one of "auto", "required", "none", got "requird". Did you mean "required"?',
      undefined,
    ],
    ['duration', ['constraints', 'budget', 'max_duration_seconds'], 0, 'must be at least 1, got 0', undefined],
  ])('%s %j', (_name, path, value, message, rule) => {
    const [first, ...others] = diagnosticsAfter(path, value)
    expect(first).toMatchObject({ code: 'schema_violation', message })
    expect(first?.rule).toBe(rule)
    expect(others).toEqual([])
  })

  test('R-22: output_from with too many and too few keys', () => {
    const loop = (output_from: Value) => {
      const parsed = parseAgent(textOf(edited(validDocuments['agf.loop'], [...config, 'output_from'], output_from)))
      return parsed.ok ? [] : parsed.error.map(messageWithHint)
    }
    expect(loop({ agent: 'second', strategy: 'last' })).toEqual([
      'matches 2 alternatives; exactly one is allowed: set one of "agent", "strategy" and "custom_transform"',
    ])
    expect(loop({})[0]).toMatch(/^matches none of the alternatives: /)
    expect(loop({ strategy: 'lst' })).toEqual([
      'must be one of "last", "merge", "first", got "lst". Did you mean "last"?',
    ])
  })

  test('a wrong item of a list is reported by its index', () => {
    expect(diagnosticsAfter([...tool, 'approval', 'condition'], [{}, { args_match: 5 }])).toMatchObject([
      { at: 'action_space.local_tools[0].approval.condition[1].args_match', message: 'expected a mapping, got 5' },
    ])
  })
})
