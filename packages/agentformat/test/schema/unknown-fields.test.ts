import { formatPath, messageWithHint, type Path, type Value } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkAgent, parseAgent, standardPolicyIds } from '../../src/index.ts'
import { findUnknownFields, similarSafetyField } from '../../src/schema/unknown-fields.ts'
import { edited, textOf, validDocuments } from '../valid-documents.ts'
import { pathsIn } from './document/mutations.ts'

const tool = ['action_space', 'local_tools', 0] as const
const server = ['action_space', 'mcp_servers', 0] as const

const withField = (path: Path, value: Value = true): string => textOf(edited(validDocuments['agf.react'], path, value))

describe('R-05, OPEN-2: an unknown field', () => {
  test.each<[Path, string, string, string | undefined]>([
    [['notes'], 'unknown field "notes" is ignored.', 'R-05', undefined],
    [['metadata', 'autors'], 'unknown field "autors" is ignored. Did you mean "authors"?', 'R-05', undefined],
    [
      [...tool, 'aproval'],
      'unknown field "aproval" is ignored and does not restrict the agent. Did you mean "approval"?',
      'OPEN-2',
      'high',
    ],
    [
      [...server, 'allow_tools'],
      'unknown field "allow_tools" is ignored and does not restrict the agent. Did you mean "allowed_tools"?',
      'OPEN-2',
      'high',
    ],
    [['max_steps'], 'unknown field "max_steps" is ignored and does not restrict the agent.', 'OPEN-2', 'high'],
    [['x-vendor'], 'unknown field "x-vendor" is ignored', 'OPEN-2', 'info'],
    [[...tool, 'x-approval'], 'unknown field "x-approval" is ignored', 'OPEN-2', 'info'],
  ])('%j warns', (path, message, rule, level) => {
    const { document, diagnostics } = checkAgent(withField(path))
    expect(document).toBeDefined()
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'unknown_field', rule }])
    expect(diagnostics.map(messageWithHint)).toEqual([message])
    expect(diagnostics[0]?.level).toBe(level)
  })

  test('is reported at its key', () => {
    const { diagnostics } = checkAgent(`notes: a\n${textOf(validDocuments['agf.batch'])}`, { file: 'a' })
    expect(diagnostics).toMatchObject([{ file: 'a', path: 'notes', line: 1, column: 1, end_column: 6 }])
  })

  test('R-03: is not an error', () => {
    expect(parseAgent(withField(['notes'])).ok).toBe(true)
  })

  test('R-04: stays in the document', () => {
    expect(checkAgent(withField(['notes'])).document).toMatchObject({ notes: true })
  })

  test('R-06: is an error in strict mode, and the document is still returned', () => {
    for (const path of [['notes'], [...tool, 'aproval'], ['x-vendor']]) {
      const { document, diagnostics } = checkAgent(withField(path), { strict: true })
      expect(diagnostics).toMatchObject([{ severity: 'error', code: 'unknown_field' }])
      expect(document).toBeDefined()
      expect(parseAgent(withField(path), { strict: true }).ok).toBe(false)
    }
  })
})

test('unknown fields over the limit are only counted', () => {
  const surplus = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field_${index}`, index]))
  const { diagnostics } = checkAgent(textOf({ ...validDocuments['agf.react'], ...surplus }))
  expect(diagnostics).toHaveLength(200)
  expect(diagnostics.at(-1)?.message).toMatch(/\(19800 more not listed\)$/)
})

const unknown = (document: Value): string[] => findUnknownFields(document).map(({ path }) => formatPath(path))

/** Mappings with arbitrary or unchecked field names. */
const open =
  /^(?:interface\.(?:input|output)|metadata\.(?:labels|annotations)|.*\.(?:input_mapping|args_match))(?:$|[.[])/

describe('R-05: unknown fields', () => {
  test.each(standardPolicyIds)('%s: the fields of the format are known', (id) => {
    expect(unknown(validDocuments[id])).toEqual([])
  })

  test.each(standardPolicyIds)('%s: any other field is found, at any level', (id) => {
    const document = validDocuments[id]
    const mappings = [[], ...pathsIn(document)].filter((path) => isMapping(document, path))
    for (const path of mappings) {
      const fields = unknown(edited(document, [...path, 'surplus'], { deeper: 1 }))
      expect([path, fields]).toEqual([path, open.test(formatPath(path)) ? [] : [formatPath([...path, 'surplus'])]])
    }
    expect(mappings.length).toBeGreaterThan(8)
  })

  test('fields of another policy are unknown', () => {
    const path = ['execution_policy', 'config', 'output_from']
    expect(unknown(edited(validDocuments['agf.batch'], path, 'last'))).toEqual(['execution_policy.config.output_from'])
    expect(unknown(edited(validDocuments['agf.conditional'], path, 'last'))).toEqual([
      'execution_policy.config.output_from',
    ])
  })

  test('fields of a vendor policy are not checked', () => {
    const execution_policy = { id: 'x-vendor.policy', config: { anything: 1 }, surplus: 1 }
    expect(unknown({ ...validDocuments['agf.react'], execution_policy })).toEqual(['execution_policy.surplus'])
  })

  test('names of the prototype are ordinary fields', () => {
    expect(unknown(JSON.parse('{"__proto__": 1, "toString": 2}'))).toEqual(['__proto__', 'toString'])
    expect(unknown({ execution_policy: { id: 'toString', config: { a: 1 } } })).toEqual([])
  })

  test('are found in a document with other errors', () => {
    expect(
      unknown({ metadata: [], memory: { requird: true }, action_space: { local_tools: [5, { aproval: 1 }] } }),
    ).toEqual(['memory.requird', 'action_space.local_tools[1].aproval'])
  })

  test('never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(Array.isArray(findUnknownFields(value as Value))).toBe(true)
      }),
    )
  })
})

function isMapping(document: Value, path: Path): boolean {
  const value = path.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], document)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

describe('OPEN-2: near misses of safety fields', () => {
  test.each([
    ['aproval', 'approval'],
    ['approvals', 'approval'],
    ['Approval', 'approval'],
    ['conditions', 'condition'],
    ['arg_match', 'args_match'],
    ['argsMatch', 'args_match'],
    ['allow_tools', 'allowed_tools'],
    ['allow_skills', 'allowed_skills'],
    ['allowedTools', 'allowed_tools'],
    ['constraint', 'constraints'],
    ['limit', 'limits'],
    ['budgets', 'budget'],
    ['governance_policy', 'governance_policies'],
    ['requird', 'required'],
    ['max_tokens_usage', 'max_token_usage'],
    ['maxSteps', 'max_steps'],
  ])('%s probably means %s', (name, meant) => {
    expect(similarSafetyField(name, [])).toBe(meant)
  })

  test('a safety field in the wrong place is reported', () => {
    expect(similarSafetyField('approval', ['alias'])).toBe('approval')
  })

  test('known fields of the same mapping are preferred', () => {
    expect(similarSafetyField('allowed_tool', ['allowed_tools'])).toBe('allowed_tools')
    expect(similarSafetyField('allow', ['allowed_skills'])).not.toBe('allowed_tools')
  })

  test.each(['max_cost', 'maxCost', 'max-cost', 'maximum_cost'])('%s is meant to limit something', (name) => {
    expect(similarSafetyField(name, [])).toBe(name)
  })

  test.each(['notes', 'reasoning_effort', 'maxim', 'x', 'owner', '__proto__'])('%s is not a safety field', (name) => {
    expect(similarSafetyField(name, [])).toBeUndefined()
  })
})
