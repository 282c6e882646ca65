import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { diagnosticTable } from '@joust/results'
import { defaultLimits } from '@joust/source'
import { expect, test } from 'vitest'
import { adaptiveLimits } from '../../packages/adaptive/src/limits.ts'
import { arenaLimits, defaultRunLimits } from '../../packages/arena/src/model/limits.ts'
import { toggle } from '../../packages/cli/src/options/values.ts'
import { commands } from '../../packages/cli/src/program.ts'
import { ioLimits } from '../../packages/io/src/limits.ts'
import { resultsLimits } from '../../packages/results/src/model/limits.ts'
import { runtimeLimits } from '../../packages/runtime/src/model/limits.ts'
import { sourceBounds } from '../../packages/source/src/model/limits.ts'
import { targetLimits } from '../../packages/targets/src/limits.ts'
import { trialLimits } from '../../packages/trials/src/limits.ts'
import { limitDescriptions } from '../../scripts/generated-text.ts'
import { type CommandTables, guides, renderCommands } from '../../scripts/render-commands.ts'
import { renderPages } from '../../scripts/render-tables.ts'
import { repositoryRoot } from '../../scripts/repository.ts'

test.each([
  ['packages/source/src/model/limits.ts', { ...defaultLimits, ...sourceBounds }],
  ['packages/io/src/limits.ts', ioLimits],
  ['packages/runtime/src/model/limits.ts', runtimeLimits],
  ['packages/results/src/model/limits.ts', resultsLimits],
  ['packages/arena/src/model/limits.ts', { ...defaultRunLimits, ...arenaLimits }],
  ['packages/targets/src/limits.ts', targetLimits],
  ['packages/trials/src/limits.ts', trialLimits],
  ['packages/adaptive/src/limits.ts', adaptiveLimits],
])('every limit of %s has a description', (file, limits) => {
  const text = readFileSync(join(repositoryRoot(), file), 'utf8')
  expect([...limitDescriptions(text).keys()]).toEqual(Object.keys(limits))
})

const program: CommandTables = {
  commands: [],
  flagsOf: (key) => `--${key}`,
  helpOf: ({ help }) => help,
  inBrackets: (name) => `<${name}>`,
}

test('commands are listed with their arguments and options; pipes and angle brackets are escaped', () => {
  const options = { mode: { value: toggle, help: 'one | two', default: false } }
  const start = async () => 0
  const command = { name: 'run', description: 'Runs <attack>.', arguments: {}, options, start }
  const text = renderCommands({
    ...program,
    commands: [{ ...command, arguments: { file: { count: 'one', help: 'a file' } }, examples: ['joust run x'] }],
  })
  expect(text).toContain('| [`joust run`](#joust-run) | Runs \\<attack>. |')
  expect(text).toContain('## joust run\n\nRuns \\<attack>.\n')
  expect(text).toContain('joust run [options] <file>')
  expect(text).toContain('- `file`: a file')
  expect(text).toContain('| `--mode` | one \\| two |')
  expect(text).toContain('```text\njoust run x\n```')
})

test('every guide is that of a command', () => {
  const names = commands.map(({ name }) => name)
  expect(Object.keys(guides).filter((name) => !names.includes(name))).toEqual([])
})

test('limits are listed under their package, with their description', () => {
  const limits = [{ package: '@joust/x', file: 'x.ts', limits: { most: 2000 } }]
  const tables = {
    rules: [],
    lints: [],
    agentRules: [],
    steps: [],
    dialects: [],
    bindings: [],
    limits,
    glossary: [],
    diagnostics: diagnosticTable,
    modelClients: [],
    program,
  }
  const pages = renderPages(tables, () => 'export const x = {\n  /** Things. */\n  most: 2000,\n}')
  const text = pages.find(({ file }) => file === 'docs/generated/limits.md')?.text
  expect(text).toMatch(/## @joust\/x\n[\s\S]*\| `most` \| 2,000 +\| Things\. +\|/)
})

test('a table row keeps its cells', () => {
  const rules = [
    {
      code: 'V-001',
      level: 'error',
      section: '§1',
      summary: 'one | two',
      check: () => {},
      good: '',
      mistake: ['', ''],
      path: '',
    },
  ] as const
  const tables = {
    rules,
    lints: [],
    agentRules: [],
    steps: [],
    dialects: [],
    bindings: [],
    limits: [],
    glossary: [],
    diagnostics: diagnosticTable,
    modelClients: [],
    program,
  }
  const text = "import { one } from './document/one.ts'\nexport const t = [{ code: 'V-001', ...one }]"
  const [page] = renderPages(tables, () => text)
  expect(page?.file).toBe('docs/generated/rules.md')
  expect(page?.text).toContain(
    '| V-001 | error | §1          | one \\| two     | [document/one.ts](../../packages/oatf/src/rules/document/one.ts) |',
  )
})
