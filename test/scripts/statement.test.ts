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
})

test('the statement of this repository holds', () => {
  expect(checkStatement(root, itemLists, tables)).toEqual([])
  expect(readFileSync(join(root, 'docs/conformance.md'), 'utf8')).toBe(renderStatement(tables, itemLists).text)
})

describe('a fault is found', () => {
  const here = 'test/scripts/statement.test.ts'
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
    ['nothing shows an item', list({ shownBy: [] }), 'L: nothing shows item 1'],
    ['a file is not there', list({ shownBy: [{ file: 'no.ts', title: 'x' }] }), 'L: item 1: there is no no.ts'],
    [
      'a test is not there',
      list({ shownBy: [{ file: here, title: 'gone' }] }),
      `L: item 1: ${here} has no test "gone"`,
    ],
  ])('%s', (_, faulty, message) => {
    expect(faults([faulty])).toEqual([message])
  })

  test('a mode without a driver, a driver without a mode, a policy that is not run', () => {
    const mode = { mode: 'mcp_server', events: [], stateKeys: ['tools', 'no_such_key'], entryActions: [] }
    const binding = { protocol: 'mcp', title: 'MCP', section: '§7', surfaces: [], modes: [mode] }
    const changes = { bindings: [binding], drivers: [{ mode: 'x_client', role: 'client' }], policies: ['agf.x'] }
    expect(faults([], changes as never)).toEqual([
      'the mode mcp_server has no driver',
      'the driver of x_client has no binding',
      'the policy agf.x is not run',
      'no test in packages/arena/test/drivers/mcp-server has a state with no_such_key',
    ])
  })
})

test('titles are read from calls and from rows', () => {
  const text = `
    const rows = [['a row', 1], ['only one']]
    describe.each(rows)('group %s', () => { it.each<[string]>([['typed', 2]] as const)(\`plain\`, () => {}) })
    test.skip("it's", () => {}); testRule('P-01', 'some_code', { valid: ['no title'] }); other('not a test')
    test(\`with \${rows}\`, () => {})`
  expect([...testTitles(text)].sort()).toEqual(['P-01 some_code', 'a row', 'group %s', "it's", 'plain', 'typed'])
  expect([...propertyNames(`const x = { a: 1, 'b-c': { d } }`)]).toEqual(['a', 'b-c', 'd'])
})
