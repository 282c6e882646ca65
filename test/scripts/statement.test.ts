import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { repositoryRoot } from '../../scripts/repository.ts'
import { checkStatement, type StatementTables } from '../../scripts/statement/check.ts'
import type { Item, ItemList } from '../../scripts/statement/item.ts'
import { itemLists } from '../../scripts/statement/lists.ts'
import { renderStatement } from '../../scripts/statement/render.ts'
import { propertyNames, testTitles } from '../../scripts/statement/test-titles.ts'
import { loadTables, type Tables } from '../../scripts/tables.ts'

const root = repositoryRoot()
let tables: Tables

beforeAll(async () => {
  tables = await loadTables(root)
}, 120_000)

test('the statement of this repository holds', () => {
  expect(checkStatement(root, itemLists, tables)).toEqual([])
  expect(readFileSync(join(root, 'docs/conformance.md'), 'utf8')).toBe(renderStatement(tables, itemLists).text)
})

test('the page lists supported and unsupported features', () => {
  const page = readFileSync(join(root, 'docs/conformance.md'), 'utf8')
  const [, exceptions = ''] = page.split('The exceptions:\n')
  const listed = exceptions.slice(0, exceptions.indexOf('\n## '))
  for (const mode of ['mcp_server', 'mcp_client', 'a2a_server', 'a2a_client', 'ag_ui_client']) {
    expect(page).toContain(`- \`${mode}\`, ${mode.endsWith('_server') ? 'server' : 'client'}\n  - state: \``)
  }
  expect(page).toContain('\n`pattern`, `expression`, `semantic`.')
  for (const told of [
    'No `mode` is added',
    '`synthesize`',
    'gRPC',
    'WebSocket',
    '`--strict`',
    'HTTP+SSE',
    '`contextId`',
  ]) {
    expect(listed).toContain(told)
  }
})

describe('a fault is found', () => {
  const here = 'test/scripts/statement.test.ts'
  const skipping = 'packages/cli/test/input/rewrite-files.test.ts'
  const tabled = 'packages/oatf/test/bindings/mcp.test.ts'
  const shown = {
    id: '1',
    strength: 'MUST',
    met: 'yes',
    says: 'x',
    shownBy: [{ file: here, title: 'a fault is found' }],
  }
  const list = (...items: Partial<Item>[]): ItemList => ({
    title: 'L',
    ids: ['1'],
    items: items.map((item) => ({ ...shown, ...item }) as Item),
  })
  const nothing: StatementTables = { bindings: [], drivers: [], policies: [] as never, runnablePolicies: [] }
  const faults = (lists: readonly ItemList[], changes: Partial<StatementTables> = {}) =>
    checkStatement(root, lists, { ...nothing, ...changes }).map(({ message }) => message)

  test('none in a list that is whole', () => {
    expect(faults([list({})])).toEqual([])
  })

  test.each<[string, ItemList, string]>([
    ['an item is missing', list(), 'L: has  and not 1'],
    ['an item is there twice', list({}, {}), 'L: has 1, 1 and not 1'],
    ['an item has another number', list({ id: '2' }), 'L: has 2 and not 1'],
    ['nothing shows an item', list({ shownBy: [] }), 'L: item 1 has no proof'],
    ['a file is not there', list({ shownBy: [{ file: 'no.ts', title: 'x' }] }), 'L: item 1: no.ts does not exist'],
    [
      'a test is not there',
      list({ shownBy: [{ file: here, title: 'gone' }] }),
      `L: item 1: ${here} has no test "gone"`,
    ],
    [
      'a test may be skipped',
      list({ shownBy: [{ file: skipping, title: 'respects write protection' }] }),
      `L: item 1: "respects write protection" in ${skipping} is or may be skipped`,
    ],
    [
      'a test looks at a table only',
      list({ shownBy: [{ file: tabled, title: 'structural keys of a state' }] }),
      `L: item 1: "structural keys of a state" in ${tabled} only compares with our own tables`,
    ],
    ['an exception is not told', list({ met: 'partly' }), 'L: item 1 is met (partly), but has exceptions'],
    ['an exception is told of what is met', list({ exceptions: ['x'] }), 'L: item 1 is met (yes), but has exceptions'],
  ])('%s', (_, faulty, message) => {
    expect(faults([faulty])).toEqual([message])
  })

  test('a mode without a driver or its contract, a driver without a mode, a policy that is not run', () => {
    const mode = { mode: 'mcp_server', events: [], stateKeys: ['tools', 'no_such_key'], entryActions: [] }
    const binding = {
      protocol: 'mcp',
      title: 'MCP',
      section: '§7',
      surfaces: [],
      modes: [mode, { ...mode, mode: 'odd_server', stateKeys: [] }],
    }
    const changes = { bindings: [binding], drivers: [{ mode: 'x_client', role: 'client' }], policies: ['agf.x'] }
    expect(faults([], changes as never)).toEqual([
      'the mode mcp_server has no driver',
      'the mode odd_server has no driver',
      'the driver of x_client has no binding',
      'the policy agf.x is not run',
      'no test in packages/arena/test/drivers/mcp-server uses the state key no_such_key',
      'the driver of odd_server has no contract test: packages/arena/test/drivers/contract/odd-server.test.ts does not exist',
    ])
  })
})

test('titles are read from calls and from rows', () => {
  const text = `
    const rows = [['a row', 1], ['only one']]
    describe.each(rows)('group %s', () => { it.each<[string]>([['typed', 2]] as const)(\`plain\`, () => {}) })
    test.skip("it's", () => {}); testRule('P-01', 'some_code', { valid: ['no title'] }); other('not a test')
    test(\`with \${rows}\`, () => {})`
  expect([...testTitles(text).keys()].sort()).toEqual(['P-01 some_code', 'a row', 'group %s', "it's", 'plain', 'typed'])
  expect([...propertyNames(`const x = { a: 1, 'b-c': { d } }`)]).toEqual(['a', 'b-c', 'd'])
})

test('a title is weak when every test with it may be skipped or compares only with a table', () => {
  const text = `
    import { findMode, load } from '@joust/oatf'
    import { bindings as rows } from '../src/bindings/table.ts'
    describe.skip('group', () => { test('inside', () => {}); test.each([['row', 1]])('%s', () => {}) })
    test.skipIf(x).each([['odd row', 1]])('platform', () => {}); test.todo('later'); it.runIf(y)('sometimes', () => {})
    test('twice', () => {}); describe.skip('other', () => { test('twice', () => {}) })
    test('table', () => { expect(load(x)).toBe(rows[0]); expect(findMode('m')?.events).toContain('e') })
    test.each(findMode('m').events)('from a table', (event) => { expect(load(event)).toBe(1) })
    test('also a table', () => { expect(rows).toEqual([]); expect(load(x)).toEqual({}) })
    test('unlike it', () => { const findMode = 1 })`
  expect(Object.fromEntries(testTitles(text))).toEqual({
    ...{ group: 'skipped', inside: 'skipped', row: 'skipped', '%s': 'skipped', 'odd row': 'skipped' },
    ...{ platform: 'skipped', later: 'skipped', sometimes: 'skipped', other: 'skipped', table: 'table' },
    ...{ twice: undefined, 'from a table': undefined, 'also a table': undefined, 'unlike it': undefined },
  })
})
