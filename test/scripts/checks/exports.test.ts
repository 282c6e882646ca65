import { expect, test } from 'vitest'
import { checkExports } from '../../../scripts/checks/exports.ts'
import { makeTree } from '../tree.ts'

const manifests = {
  'tsconfig.json': JSON.stringify({ references: [{ path: 'packages/a' }, { path: 'packages/b' }] }),
  'packages/a/package.json': JSON.stringify({
    name: '@joust/a',
    exports: { '.': { 'joust-source': './src/index.ts' } },
  }),
  'packages/b/package.json': JSON.stringify({ name: '@joust/b' }),
}

const dead = (files: { readonly [path: string]: string }) =>
  checkExports(makeTree({ ...manifests, ...files })).map(({ file, line, message }) => [
    file,
    line,
    message.split(' ')[0],
  ])

test('constants, functions, classes, types and lists of names are found', () => {
  const text = `const x = 1
export const a = 1
export function b() {}
export class C {}
export type D = string
export interface E {}
export { x as f }
`
  expect(dead({ 'packages/a/src/x.ts': text })).toEqual(
    ['a', 'b', 'C', 'D', 'E', 'f'].map((name, index) => ['packages/a/src/x.ts', index + 2, name]),
  )
})

test.each([
  ['an import', `import { one } from './x.ts'`],
  ['another name for it', `import { one as two } from './x.ts'`],
  ['a type', `import type { one } from './x.ts'`],
  ['passing it on', `export { one } from './x.ts'`],
  ['a namespace', `import * as all from './x.ts'\nall.one()`],
  ['import()', `const { one } = await import('./x.ts')`],
  ['a comment of JavaScript', `/** @import { one } from './x.ts' */`],
])('%s is a use of it', (_, text) => {
  expect(dead({ 'packages/a/src/x.ts': 'export const one = 1', 'packages/a/src/index.ts': text })).toEqual([])
  expect(dead({ 'packages/a/src/x.ts': 'export const other = 1', 'packages/a/src/index.ts': text })).toHaveLength(1)
})

test('entries are for importers; programs use the compiled files', () => {
  const found = dead({
    'packages/a/src/index.ts': 'export const promise = 1',
    'packages/b/src/main.ts': 'export const main = 1',
    'packages/b/bin/b.js': `import { main } from '../dist/main.js'`,
    'packages/b/src/other.ts': `import { promise } from '@joust/a'`,
  })
  expect(found).toEqual([])
})
