import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkClauses } from '../../../scripts/checks/clauses.ts'
import { checkCodes, checkResolved } from '../../../scripts/checks/codes.ts'
import { checkRules } from '../../../scripts/checks/rules.ts'
import { repositoryRoot } from '../../../scripts/repository.ts'
import { copyTree, makeTree } from '../tree.ts'

const rules = 'packages/oatf/src/rules'
const table = `${rules}/table.ts`
const dialects = 'packages/oatf/src/dialects/table.ts'
const lintTable = 'packages/oatf/src/lint/table.ts'

test('the tables of this repository are whole', () => {
  expect(checkRules(repositoryRoot())).toEqual([])
  expect(checkCodes(repositoryRoot())).toEqual([])
  expect(checkResolved(repositoryRoot())).toEqual([])
  expect(checkClauses(repositoryRoot())).toEqual([])
})

test.each([
  ['the last lint rule is missing', lintTable, /^ {2}\{ code: 'L-026'.*\n/m, '', lintTable, 'no row for L-026'],
  ['the last translation is missing', dialects, /^ {2}\{ code: 'D-018'.*\n/m, '', dialects, 'no row for D-018'],
  ['a row is missing', table, /^ {2}\{ code: 'V-005'.*\n/m, '', table, 'no row for V-005'],
  ['the last rule is missing', table, /^ {2}\{ code: 'V-050'.*\n/m, '', table, 'no row for V-050'],
  ['the last warning is missing', table, /^ {2}\{ code: 'W-007'.*\n/m, '', table, 'no row for W-007'],
  ['a code is a duplicate', table, "code: 'V-004'", "code: 'V-003'", table, 'V-003 is a duplicate'],
  ['a row is out of order', table, "code: 'V-050'", "code: 'V-001'", table, 'V-001 comes after V-049'],
  ['a row has no rule', table, ', ...tierKnown', '', table, 'V-050 has no file'],
])('%s', (_, spoiled, from, to, file, message) => {
  const root = copyOfRules()
  edit(root, spoiled, from, to)
  expect(checkRules(root)).toContainEqual(expect.objectContaining({ file, message: expect.stringContaining(message) }))
})

test('a step is missing', () => {
  const root = copyOfRules()
  edit(root, 'packages/oatf/src/steps/table.ts', /^ {2}\{ code: 'N-003'.*\n/m, '')
  expect(newMessages(root)).toEqual(['no row for N-003', 'indicatorIds is not in any table'])
})

test('a rule that no row uses', () => {
  const root = copyOfRules()
  const text = `import type { Rule } from '../rule.ts'\n\nexport const stray: Rule = { check() {} }\n`
  writeFileSync(join(root, `${rules}/phase/stray.ts`), text)
  expect(newMessages(root)).toEqual(['stray is not in any table'])
  expect(checkRules(root)).toContainEqual(expect.objectContaining({ file: `${rules}/phase/stray.ts`, line: 3 }))
})

test('a rule without a test, and one whose test is about another', () => {
  const root = copyOfRules()
  rmSync(join(root, 'packages/oatf/test/rules/document/one-attack.test.ts'))
  writeFileSync(join(root, 'packages/oatf/test/rules/document/required-fields.test.ts'), "testRule('V-999', {})\n")
  expect(newMessages(root)).toEqual(['V-003 has no test', 'the test does not mention V-004'])
})

test('an unknown code is found, in a comment as in a document', () => {
  const root = copyOfRules()
  const decisions = 'docs/decisions/0019-agent-format.md'
  mkdirSync(join(root, 'docs/decisions'), { recursive: true })
  writeFileSync(join(root, decisions), '| OPEN-1 | a question | an answer |\n\nSee OPEN-2 and V-001.\n')
  writeFileSync(join(root, `${rules}/phase/stray.ts`), '/** OPEN-1, and P-77. */\n')
  expect(checkResolved(root)).toContainEqual(
    expect.objectContaining({ file: decisions, line: 3, message: 'unknown code OPEN-2' }),
  )
  expect(checkResolved(root).filter(({ file }) => file.endsWith('stray.ts'))).toEqual([
    expect.objectContaining({ line: 1, message: 'unknown code P-77' }),
  ])
})

test('codes in program text are found, codes in comments are not', () => {
  const root = makeTree({
    'packages/oatf/src/rules/phase/a.ts': "/** Checks V-001. */\nexport const a = 'V-002' // V-003\n",
    'packages/cli/src/b.ts': 'export const b = `see\n W-001`\n',
    'packages/oatf/src/parse.ts': "export const c = ['V-020', 'V-021']\n",
    'packages/oatf/test/d.ts': "export const d = 'V-001'\n",
  })
  expect(checkCodes(root).map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
    'packages/cli/src/b.ts:1 code W-001 in program text',
    'packages/oatf/src/parse.ts:1 code V-021 in program text',
    'packages/oatf/src/rules/phase/a.ts:2 code V-002 in program text',
  ])
})

test('the first clause of a document in a file is a link, and every clause names its document', () => {
  const linked = '/** [OATF §6](https://oatf.io/), §7 and §8 */\n/** OATF §9, RFC 9110 §5 */\n'
  const root = makeTree({
    'packages/oatf/src/linked.ts': linked,
    'packages/oatf/src/bare.ts': '/** See (§6). */\n',
    'packages/oatf/src/unlinked.ts': `${linked}/** OATF SDK\n * §5 */\n/** OATF SDK §6 */\n`,
    'packages/oatf/test/test.ts': '/** §6 */\n',
  })
  expect(checkClauses(root).map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
    'packages/oatf/src/bare.ts:1 clause without its document',
    'packages/oatf/src/unlinked.ts:3 the first clause of OATF SDK is not a link',
  ])
})

/** What the check reports about a tree but not about this repository. */
function newMessages(root: string): string[] {
  const before = checkRules(repositoryRoot()).map(({ message }) => message)
  return checkRules(root)
    .map(({ message }) => message)
    .filter((message) => !before.includes(message))
}

function copyOfRules(): string {
  const folders = ['rules', 'lint', 'steps', 'dialects'].flatMap((folder) => [
    `packages/oatf/src/${folder}`,
    `packages/oatf/test/${folder}`,
  ])
  return copyTree(repositoryRoot(), folders)
}

function edit(root: string, file: string, from: string | RegExp, to: string): void {
  const text = readFileSync(join(root, file), 'utf8')
  const changed = text.replace(from, to)
  if (changed === text) throw new Error(`nothing to spoil in ${file}`)
  writeFileSync(join(root, file), changed)
}
