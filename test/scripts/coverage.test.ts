import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compareCoverage, linesByPackage } from '../../scripts/coverage.mjs'
import { repositoryRoot } from '../../scripts/repository.ts'

const file = (total: number, covered: number) => ({ lines: { total, covered } })
const packages = linesByPackage(
  {
    total: file(1000, 1000),
    '/root/packages/oatf/src/a.ts': file(60, 60),
    '/root/packages/oatf/src/rules/b.ts': file(40, 35),
    '/root/packages/io/src/c.ts': file(10, 5),
    '/root/scripts/d.ts': file(10, 0),
  },
  '/root',
)

test('lines are counted by package', () => {
  expect([...packages]).toEqual([
    ['oatf', { total: 100, covered: 95 }],
    ['io', { total: 10, covered: 5 }],
  ])
})

test('a package below its floor, or without one, is a fault', () => {
  const names = ['io', 'oatf', 'sim']
  expect(compareCoverage(packages, { io: 50, oatf: 95, sim: 0 }, names).faults).toEqual([])
  expect(compareCoverage(packages, { io: 51, oatf: 95.1 }, names).faults).toEqual([
    'io: 50.00 % of its lines are covered, less than 51 %',
    'oatf: 95.00 % of its lines are covered, less than 95.1 %',
    'sim has no minimum in coverage.json; its coverage is 100 %',
  ])
})

test('every package has a floor', () => {
  const root = repositoryRoot()
  const floors = JSON.parse(readFileSync(join(root, 'coverage.json'), 'utf8'))
  expect(Object.keys(floors).sort()).toEqual(readdirSync(join(root, 'packages')).sort())
})
