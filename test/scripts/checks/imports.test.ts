import { describe, expect, test } from 'vitest'
import { checkImports, MAXIMUM_LINES } from '../../../scripts/checks/imports.ts'
import { repositoryRoot } from '../../../scripts/repository.ts'
import { makeTree } from '../tree.ts'

const manifests = {
  'tsconfig.json': JSON.stringify({
    references: ['source', 'oatf', 'cli'].map((name) => ({ path: `packages/${name}` })),
  }),
  'packages/source/package.json': manifest('@joust/source', ['js-yaml', 're2js']),
  'packages/oatf/package.json': manifest('@joust/oatf', ['@joust/source', 'json-p3'], ['./on-demand']),
  'packages/cli/package.json': manifest('joust', ['@joust/oatf', '@joust/source', 'commander']),
}

test('this repository keeps its own table', () => {
  expect(checkImports(repositoryRoot())).toEqual([])
})

test('a tree that keeps the table has no violation', () => {
  const found = check({
    'packages/source/src/index.ts': `export { read } from './yaml/yaml.ts'\n`,
    'packages/source/src/yaml/yaml.ts': `import { load } from 'js-yaml'\nexport const read = load\n`,
    'packages/oatf/src/index.ts': `export { parse } from './parse.ts'\n`,
    'packages/oatf/src/parse.ts': `import { read } from '@joust/source'\nexport const parse = read\n`,
    'packages/oatf/src/on-demand.ts': `export const load = () => import('./adapters/json-path.ts')\n`,
    'packages/oatf/src/adapters/json-path.ts': `import { JSONPathEnvironment } from 'json-p3'\nexport const env = JSONPathEnvironment\n`,
    'packages/cli/src/main.ts': `import 'node:fs'\nimport { load } from '@joust/oatf/on-demand'\nexport const main = load\n`,
  })
  expect(found).toEqual([])
})

test('an optional peer is imported in its place only', () => {
  const use = `import '@joust/runtime'\n`
  const found = check({
    'tsconfig.json': JSON.stringify({ references: [{ path: 'packages/runtime' }, { path: 'packages/targets' }] }),
    'packages/runtime/package.json': manifest('@joust/runtime', []),
    'packages/runtime/src/index.ts': '',
    'packages/targets/package.json': manifest('@joust/targets', ['@joust/runtime']),
    'packages/targets/src/agent.ts': use,
    'packages/targets/src/agent/serve.ts': use,
    'packages/targets/src/command.ts': use,
  })
  expect(found.map(({ file, message }) => [file, message])).toEqual([
    ['packages/targets/src/command.ts', 'packages/targets may not import @joust/runtime'],
  ])
})

describe('each check fails where it should', () => {
  test.each([
    ['a lower layer imports a higher one', 'packages/oatf/src/model/a.ts', `import '../rules/b.ts'`, '"model" may not'],
    ['a rule imports an adapter', 'packages/oatf/src/rules/b.ts', `import '../adapters/c.ts'`, '"rules" may not'],
    [
      'a type import counts',
      'packages/oatf/src/model/a.ts',
      `import type { B } from '../rules/b.ts'`,
      '"model" may not',
    ],
    ['a file outside all layers', 'packages/oatf/src/other.ts', `import './model/a.ts'`, 'is not in any layer'],
    [
      'a relative import out of the package',
      'packages/oatf/src/parse.ts',
      `import '../../source/src/x.ts'`,
      'outside the package',
    ],
    ['a relative import of nothing', 'packages/oatf/src/parse.ts', `import './model/nothing.ts'`, 'not a source file'],
    [
      'a lower package imports a higher one',
      'packages/source/src/x.ts',
      `import '@joust/oatf'`,
      'may not import @joust/oatf',
    ],
    ['a subpath that is not exported', 'packages/cli/src/x.ts', `import '@joust/oatf/rules'`, 'does not export'],
    ['node in a pure package', 'packages/oatf/src/parse.ts', `import 'node:fs'`, 'may not import node:fs'],
    [
      'a second importer of a library',
      'packages/source/src/x.ts',
      `import 'js-yaml'`,
      'only packages/source/src/yaml/yaml.ts',
    ],
    ['a library beside the table', 'packages/cli/src/x.ts', `import 'lodash'`, 'lodash is not a library'],
    [
      'an undeclared library',
      'packages/cli/src/x.ts',
      `import 'picocolors'`,
      'not declared in packages/cli/package.json',
    ],
    ['default export', 'packages/oatf/src/parse.ts', 'export default 1', 'default export'],
    ['export *', 'packages/oatf/src/parse.ts', `export * from './model/a.ts'`, 'export *'],
    ['a long file', 'packages/oatf/src/parse.ts', '\n'.repeat(MAXIMUM_LINES), `${MAXIMUM_LINES + 1} lines`],
  ])('%s', (_, file, text, message) => {
    const found = check({
      'packages/source/src/index.ts': '',
      'packages/oatf/src/index.ts': '',
      'packages/oatf/src/model/a.ts': 'export {}',
      'packages/oatf/src/rules/b.ts': 'export interface B {}',
      'packages/oatf/src/adapters/c.ts': '',
      [file]: `${text}\n`,
    })
    expect(found).toEqual([expect.objectContaining({ file, message: expect.stringContaining(message) })])
    expect(found[0]?.mend).not.toBe('')
  })
})

test('a compiled package needs a layer; other packages are ignored', () => {
  const files = {
    'packages/new/package.json': manifest('@joust/new', ['@joust/source']),
    'packages/new/src/index.ts': `import '@joust/source'\n`,
  }
  expect(check(files)).toEqual([])
  const references = JSON.stringify({ references: [{ path: 'packages/new' }, { path: 'packages/source' }] })
  expect(check({ ...files, 'tsconfig.json': references })).toEqual([
    expect.objectContaining({ file: 'packages/new/src/index.ts', message: 'the package new has no layer' }),
  ])
})

describe('cycles', () => {
  test('between files, with the whole round', () => {
    const found = check({
      'packages/source/src/model/a.ts': `import './b.ts'\n`,
      'packages/source/src/model/b.ts': `import './c.ts'\n`,
      'packages/source/src/model/c.ts': `import './a.ts'\n`,
    })
    expect(found.map(({ message }) => message)).toEqual([
      'a cycle: packages/source/src/model/a.ts → packages/source/src/model/b.ts → packages/source/src/model/c.ts → packages/source/src/model/a.ts',
    ])
  })

  test('between folders, although no two files are in one', () => {
    const found = check({
      'packages/oatf/src/rules/phase/a.ts': `import '../trigger/b.ts'\n`,
      'packages/oatf/src/rules/phase/c.ts': '',
      'packages/oatf/src/rules/trigger/b.ts': '',
      'packages/oatf/src/rules/trigger/d.ts': `import '../phase/c.ts'\n`,
    })
    expect(found).toEqual([
      expect.objectContaining({
        file: 'packages/oatf/src/rules/phase/a.ts',
        message:
          'a cycle: packages/oatf/src/rules/phase → packages/oatf/src/rules/trigger → packages/oatf/src/rules/phase',
      }),
    ])
  })

  test('a folder and the one it lies in may import each other', () => {
    const found = check({
      'packages/oatf/src/rules/table.ts': `import './phase/a.ts'\n`,
      'packages/oatf/src/rules/rule.ts': '',
      'packages/oatf/src/rules/phase/a.ts': `import '../rule.ts'\n`,
    })
    expect(found).toEqual([])
  })
})

test('a light entry that loads a heavy library is found through others', () => {
  const found = check({
    'packages/oatf/src/on-demand.ts': `import './validate.ts'\n`,
    'packages/oatf/src/validate.ts': `import './adapters/json-path.ts'\n`,
    'packages/oatf/src/adapters/json-path.ts': `import 'json-p3'\n`,
  })
  const route =
    'packages/oatf/src/on-demand.ts → packages/oatf/src/validate.ts → packages/oatf/src/adapters/json-path.ts'
  expect(found.map(({ message }) => message)).toEqual([`is loaded with json-p3: ${route} → json-p3`])
})

function check(files: { readonly [path: string]: string }) {
  return checkImports(makeTree({ ...manifests, ...files }))
}

function manifest(name: string, dependencies: readonly string[], subpaths: readonly string[] = []): string {
  const entry = (subpath: string) => [subpath, { 'joust-source': `./src/${subpath.slice(2) || 'index'}.ts` }] as const
  return JSON.stringify({
    name,
    exports: Object.fromEntries(['.', ...subpaths].map(entry)),
    dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, '1'])),
  })
}
