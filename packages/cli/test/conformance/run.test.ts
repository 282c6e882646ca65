import { describe, expect, test } from 'vitest'
import { BAD, folder, GOOD, joust, WARNED } from '../world.ts'
import { evaluation, exploited, minimal, normalized, passing, suite, verdict } from './fixtures.ts'

const conformance = (files: { readonly [path: string]: string }) => joust(['conformance', '.'], { cwd: folder(files) })
const failures = (stdout: string) => stdout.split('\n').flatMap((line) => /^FAIL (\S+)/.exec(line)?.[1] ?? [])
const failing = async (files: { readonly [path: string]: string }) =>
  failures((await conformance({ ...passing, ...files })).stdout)

test('a tree in which everything passes', async () => {
  const { code, stdout, stderr } = await conformance(passing)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(failures(stdout)).toEqual([])
  expect(stdout).toMatch(/^parse\/valid {5}1 passed, 0 failed$/m)
  expect(stdout).toMatch(/\n8 passed, 0 failed\n$/)
})

test('a failure is listed by its id, with the expected and the actual result', async () => {
  const wrong = suite(
    { id: 'DUR-1', input: '5m', expected: { seconds: 1 } },
    { id: 'DUR-2', input: '1s', expected: { seconds: 1 } },
  )
  const { code, stdout } = await conformance({ ...passing, 'primitives/parse-duration.yaml': wrong })
  expect(code).toBe(1)
  expect(stdout).toContain(
    'FAIL DUR-1  primitives/parse-duration.yaml  about DUR-1\n  expected: 1 at seconds\n  actual:   300 at seconds\n',
  )
  expect(stdout).toMatch(/^primitives {6}1 passed, 1 failed$/m)
  expect(stdout).toMatch(/\n8 passed, 1 failed\n$/)
})

describe('parse', () => {
  test('valid documents must parse, invalid ones must not and need their sidecar', async () => {
    expect(await failing({ 'parse/valid/a.yaml': 'oatf: [' })).toEqual(['parse/valid/a.yaml'])
    expect(await failing({ 'parse/invalid/b.yaml': GOOD })).toEqual(['parse/invalid/b.yaml'])
    expect(await failing({ 'parse/invalid/c.yaml': 'a' })).toEqual(['parse/invalid/c.yaml'])
    expect(await failing({ 'parse/invalid/b.meta.yaml': 'expected_error: x\npath: y' })).toEqual([
      'parse/invalid/b.yaml',
    ])
    expect(await failing({ 'parse/invalid/c.meta.yaml': 'expected_error: x' })).toEqual(['parse/invalid/c.meta.yaml'])
    expect(await failing({ 'parse/valid/c.json': '{}' })).toEqual(['parse/valid/c.json'])
  })
})

describe('validate', () => {
  const one = (input: string, expected: unknown) =>
    failing({ 'validate/suite.yaml': suite({ id: 'V', input, expected }) })
  const ENUM = GOOD.replace('id: ACME-007', 'severity: hihg')

  test.each([
    ['rule and path', BAD, { errors: [{ rule: 'V-023', path: 'attack.id' }] }],
    ['a rule without a path', BAD, { errors: [{ rule: 'V-023' }] }],
    ['a parse error that names the rule', ENUM, { errors: [{ rule: 'V-005', path: 'attack.severity' }] }],
    ['a warning', WARNED, { valid: true, warnings: [{ rule: 'W-002', path: 'attack.execution.mode' }] }],
    ['no warnings', GOOD, { errors: [], warnings: [] }],
  ])('passes: %s', async (_, input, expected) => {
    expect(await one(input, expected)).toEqual([])
  })

  test.each([
    ['another path', BAD, { errors: [{ rule: 'V-023', path: 'attack' }] }],
    ['another rule', BAD, { errors: [{ rule: 'V-005', path: 'attack.id' }] }],
    [
      'one of two missing',
      BAD,
      {
        errors: [
          { rule: 'V-023', path: 'attack.id' },
          { rule: 'V-001', path: 'oatf' },
        ],
      },
    ],
    ['valid, but is not', BAD, { valid: true }],
    ['valid, but does not parse', 'oatf: [', { valid: true }],
    ['a parse error elsewhere', ENUM, { errors: [{ rule: 'V-005', path: 'attack.status' }] }],
    ['a parse error that names no rule', 'oatf: [', { errors: [{ rule: 'V-020' }] }],
    ['warnings where none may be', WARNED, { errors: [], warnings: [] }],
    ['a warning as an error', WARNED, { errors: [{ rule: 'W-002' }] }],
    ['warnings of an invalid document', BAD, { warnings: [] }],
    ['an unknown shape', GOOD, { valid: true, infos: [] }],
    ['an empty expectation', GOOD, {}],
    ['valid: false', BAD, { valid: false }],
    ['an unknown shape of an error', BAD, { errors: [{ rule: 'V-023', line: 3 }] }],
  ])('fails: %s', async (_, input, expected) => {
    expect(await one(input, expected)).toEqual(['V'])
  })
})

describe('normalize and roundtrip', () => {
  const one = (input: unknown, expected: unknown) =>
    failing({ 'normalize/suite.yaml': suite({ id: 'N', input, expected }) })

  test('are compared as values', async () => {
    expect(await one(minimal(), normalized().replace('version: 1', 'version: 1.0'))).toEqual([])
    expect(await one(minimal(), normalized().replace('draft', 'stable'))).toEqual(['N'])
    expect(await one(minimal(), `${normalized()}  x-more: 1\n`)).toEqual(['N'])
    expect(await one(BAD, normalized())).toEqual(['N'])
    expect(await one(minimal(), 'a: [')).toEqual(['N'])
    const round = (input: string, identical: boolean) =>
      failing({ 'roundtrip/suite.yaml': suite({ id: 'R', input, expected: { identical } }) })
    expect(await round(GOOD, false)).toEqual(['R'])
    expect(await round('a: 1', true)).toEqual(['R'])
  })
})

describe('evaluate', () => {
  const one = (input: object, expected: unknown, extra: object = {}) =>
    failing({ 'evaluate/x.yaml': suite({ id: 'E', input, expected, ...extra }) })
  const cel = (source: string, more: object = {}) => ({
    indicator: { target: '', expression: { cel: source } },
    message: {},
    ...more,
  })
  const semantic = (evaluator: object) => ({
    indicator: { target: 'a', semantic: { intent: 'i', threshold: 0.5 } },
    message: { a: 'x' },
    semantic_evaluator: evaluator,
  })

  test('the result decides', async () => {
    expect(await one(evaluation('x'), 'matched')).toEqual([])
    expect(await one(evaluation('y'), 'matched')).toEqual(['E'])
    expect(await one(evaluation('y'), 'perhaps')).toEqual(['E'])
    expect(await one({ ...evaluation('y'), more: 1 }, 'not_matched')).toEqual(['E'])
  })

  test('and the kind of an error, where it is named', async () => {
    const input = cel('1 + 1', { cel_evaluator: 'present' })
    expect(await one(input, 'error', { expected_error_kind: 'type_error' })).toEqual([])
    expect(await one(input, 'error', { expected_error_kind: 'cel_error' })).toEqual(['E'])
  })

  test('evaluators are available as the case declares', async () => {
    expect(await one(cel('true', { cel_evaluator: 'absent' }), 'skipped')).toEqual([])
    expect(await one(cel('true', { cel_evaluator: 'broken' }), 'skipped')).toEqual(['E'])
    expect(await one(semantic({ present: true, mock_score: 0.5 }), 'matched')).toEqual([])
    expect(await one(semantic({ present: true, mock_score: 0.4 }), 'matched')).toEqual(['E'])
    expect(await one(semantic({ present: false }), 'skipped')).toEqual([])
    expect(await one(semantic({ present: true }), 'skipped')).toEqual(['E'])
  })
})

test('verdict: result and counts', async () => {
  const one = (input: object, expected: object) => failing({ 'verdict/x.yaml': suite({ id: 'W', input, expected }) })
  expect(await one(verdict('matched'), exploited(1))).toEqual([])
  expect(await one(verdict('matched'), exploited(2))).toEqual(['W'])
  expect(await one(verdict('not_matched'), exploited(1))).toEqual(['W'])
  expect(await one({ ...verdict('matched'), verdicts: [{}] }, exploited(1))).toEqual(['W'])
})

describe('nothing is skipped', () => {
  test('missing and empty directories', async () => {
    const { 'verdict/any.yaml': _, ...rest } = passing
    expect(failures((await conformance(rest)).stdout)).toEqual(['verdict'])
    expect(failures((await conformance({ ...rest, 'verdict/README.md': '' })).stdout)).toEqual(['verdict'])
  })

  test('unknown files and directories', async () => {
    expect(await failing({ 'primitives/new-function.yaml': suite() })).toEqual(['primitives/new-function.yaml'])
    expect(await failing({ 'validate/more.txt': '' })).toEqual(['validate/more.txt'])
    expect(await failing({ 'lint/suite.yaml': suite() })).toEqual(['lint'])
    expect(await failing({ 'parse/odd/a.yaml': '' })).toEqual(['parse/odd'])
    expect(await failing({ 'parse/valid/d.yaml/x': '' })).toEqual(['parse/valid/d.yaml'])
    expect(await failing({ 'verdict/d.yaml/x': '' })).toEqual(['verdict/d.yaml'])
  })

  test('unknown shapes of files and cases', async () => {
    const file = 'primitives/parse-duration.yaml'
    expect(await failing({ [file]: '[]' })).toEqual([file])
    expect(await failing({ [file]: 'a: [' })).toEqual([file])
    expect(await failing({ [file]: '[1]' })).toEqual([`${file}[0]`])
    expect(await failing({ [file]: '[{"id": "x", "name": "y", "input": "1s"}]' })).toEqual([`${file}[0]`])
    expect(await failing({ [file]: suite({ id: 'x', input: '1s', expected: { seconds: 1 }, only: true }) })).toEqual([
      `${file}[0]`,
    ])
    expect(await failing({ [file]: suite({ id: 'x', input: 1, expected: { seconds: 1 } }) })).toEqual(['x'])
  })

  test('an id that names two cases', async () => {
    expect(
      await failing({ 'roundtrip/more.yaml': suite({ id: 'NORM-1', input: GOOD, expected: { identical: true } }) }),
    ).toEqual(['NORM-1'])
  })
})

test('a directory that is not there is wrong usage', async () => {
  const { code, stderr } = await joust(['conformance', 'nowhere'], { cwd: folder() })
  expect(code).toBe(64)
  expect(stderr).toBe('joust: nowhere is not a directory\n')
})

test('a directory that is something else is a wrong word, not a list of failures', async () => {
  const { code, stdout, stderr } = await conformance({ 'a.yaml': '', 'src/b.ts': '' })
  expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
  expect(stderr).toContain('contains no fixtures')
})
