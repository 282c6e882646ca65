import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkRules } from '../../scripts/checks/rules.ts'
import { repositoryRoot } from '../../scripts/repository.ts'
import { writeRuleSkeleton } from '../../scripts/rule-skeleton.ts'
import { copyTree } from './tree.ts'

const table = 'packages/oatf/src/rules/table.ts'
const folders = ['src/rules', 'src/steps', 'test/rules', 'test/steps'].map((folder) => `packages/oatf/${folder}`)

describe('a new rule', () => {
  test('has a file, a test and a row in its place', () => {
    const root = copyTree(repositoryRoot(), folders)
    const skeleton = writeRuleSkeleton(root, 'V-099', 'indicator/yet-to-come')
    expect(skeleton).toEqual({
      written: [
        'packages/oatf/src/rules/indicator/yet-to-come.ts',
        'packages/oatf/test/rules/indicator/yet-to-come.test.ts',
        table,
      ],
    })
    expect(checkRules(root).filter(({ message }) => message.includes('V-099'))).toEqual([])
    const lines = readFileSync(join(root, table), 'utf8').split('\n')
    const row = lines.findIndex((line) => line.includes("code: 'V-099'"))
    expect(lines[row]).toContain("level: 'error', section: '§', ...yetToCome }")
    expect(lines[row - 1]).toMatch(/code: 'V-0\d\d'/)
    expect(lines[row + 1]).toContain("code: 'W-001'")
  })

  test('may be a warning at the end of the table', () => {
    const root = copyTree(repositoryRoot(), folders)
    writeRuleSkeleton(root, 'W-199', 'zone/last-one')
    const text = readFileSync(join(root, table), 'utf8')
    expect(text).toMatch(/code: 'W-1\d\d'.*\n.*code: 'W-199', level: 'warning'.*\n\]/)
    expect(text).toContain("import { lastOne } from './zone/last-one.ts'\nimport type")
  })

  test.each([
    ['X-051', 'indicator/yet-to-come', '"X-051" is not a rule code'],
    ['V-099', 'yet-to-come', '"yet-to-come" is not a rule path'],
    ['V-099', '../up/yet-to-come', 'is not a rule path'],
    ['V-050', 'indicator/yet-to-come', 'V-050 is already in the table'],
    ['V-099', 'indicator/target-path', 'target-path.ts already exists'],
    ['V-099', 'attack/target-path', 'already has a rule targetPath'],
  ])('is refused: %s %s', (code, place, fault) => {
    const root = copyTree(repositoryRoot(), folders)
    expect(writeRuleSkeleton(root, code, place)).toEqual({ fault: expect.stringContaining(fault) })
    expect(existsSync(join(root, 'packages/oatf/src/rules/indicator/yet-to-come.ts'))).toBe(false)
  })
})
