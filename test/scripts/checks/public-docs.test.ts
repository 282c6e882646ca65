import { expect, test } from 'vitest'
import { checkPublicDocs } from '../../../scripts/checks/public-docs.ts'
import { makeTree } from '../tree.ts'

const manifest = (name: string) =>
  JSON.stringify({
    name,
    exports: { '.': { 'joust-source': './src/index.ts' }, './sub': { 'joust-source': './src/sub.ts' } },
  })

const undocumented = (files: { readonly [path: string]: string }) => {
  const references = [{ path: 'packages/a' }, { path: 'packages/io' }]
  const root = makeTree({
    'tsconfig.json': JSON.stringify({ references }),
    ...{ 'packages/a/package.json': manifest('@joust/a'), 'packages/io/package.json': manifest('@joust/io') },
    ...{ 'packages/a/README.md': '', 'packages/a/src/index.ts': '', 'packages/a/src/sub.ts': '' },
    ...{ 'packages/io/README.md': '`run`', 'packages/io/src/index.ts': '', 'packages/io/src/sub.ts': '' },
    ...files,
  })
  return checkPublicDocs(root).map(
    ({ file, line, message }) => `${file}:${line} ${message.split(' ')[0]} ${message.split(' ')[1]}`,
  )
}

const options = (comment: string) =>
  `/** @example run() */\nexport interface RunOptions {\n  readonly must: string\n  ${comment}\n  readonly may?: string\n}\n`

test.each(['', '// @default none', '/** The name. */', '/** @defaults none */'])(
  'an optional field with %j',
  (comment) => {
    const files = {
      'packages/a/src/index.ts': `export { run } from './run.ts'\n`,
      'packages/a/src/run.ts': `${options(comment)}export function run(options: RunOptions) {}\n`,
    }
    expect(undocumented(files)).toEqual(['packages/a/src/run.ts:5 RunOptions: may'])
  },
)

test.each([
  '/** @default none */',
  '/** The name. By default that of the file. */',
  '/** Called; without it, nothing is. */',
])('an optional field with %j says it', (comment) => {
  const files = { 'packages/a/src/index.ts': options(comment) }
  expect(undocumented(files)).toEqual([])
})

test.each([
  ['a type that is exported', { 'index.ts': `export type { RunOptions } from './run.ts'` }, ''],
  ['a type of another entry', { 'sub.ts': `export type { RunOptions } from './run.ts'` }, ''],
  [
    'a type that an exported one extends',
    { 'index.ts': `export type { MoreOptions } from './run.ts'` },
    '/** @example run() */ export interface MoreOptions extends RunOptions {}',
  ],
  [
    'a part of a type',
    { 'index.ts': `export { run } from './run.ts'` },
    'export function run({ x }: Partial<RunOptions> & { readonly x: 1 } = {}) {}',
  ],
  [
    'a field of options',
    { 'index.ts': `export { walk } from './run.ts'` },
    'interface AllOptions { readonly run: RunOptions }\nexport function walk(options: AllOptions) {}',
  ],
])('%s is followed', (_, entries, more) => {
  const sources = Object.entries(entries).map(([name, text]) => [`packages/a/src/${name}`, text])
  const files = { ...Object.fromEntries(sources), 'packages/a/src/run.ts': `${options('')}${more}\n` }
  expect(undocumented(files)).toEqual(['packages/a/src/run.ts:5 RunOptions: may'])
})

test('options that no entry exports, and types of data, need no default', () => {
  const files = {
    'packages/a/src/index.ts': `export { run } from './run.ts'\nexport interface Data { readonly may?: string }\n`,
    'packages/a/src/run.ts': `${options('')}export function run(data: { readonly may?: string }) {}\nexport function walk(options: RunOptions) {}\n`,
  }
  expect(undocumented(files)).toEqual([])
})

test('a function that the README of its package names needs an example, unless other packages are its users', () => {
  const run = `/** Runs. */\nexport async function run() {}\n/**\n * Walks.\n *\n * @example\n * walk()\n */\nexport function walk() {}\nexport function stop() {}\nexport const later = () => run()\nexport const word = 'x'\n`
  const files = {
    'packages/a/README.md':
      'Starts with `run(…)`, `walk`, `later` and `word`.\n\n```ts\nimport { run } from "@joust/a"\n```\n',
    'packages/a/src/index.ts': `export { later, run, stop, walk, word } from './run.ts'\n`,
    'packages/a/src/run.ts': run,
    'packages/io/src/index.ts': 'export function run() {}\n',
  }
  expect(undocumented(files)).toEqual(['packages/a/src/run.ts:11 later has', 'packages/a/src/run.ts:2 run has'])
})

test.each([
  ['/** Options. */', ['packages/a/src/run.ts:2 RunOptions has']],
  ['/** Options of {@link walk}. */', ['packages/a/src/run.ts:2 RunOptions has']],
  ['/** Options of {@link run}. */', []],
  ['/** @example run({}) */', []],
])('a type of options with %j', (comment, violations) => {
  const run = '/** @example run({}) */\nexport function run(options: RunOptions) {}\nexport function walk() {}\n'
  const files = {
    'packages/a/src/index.ts': `export { type RunOptions, run, walk } from './run.ts'\n`,
    'packages/a/src/run.ts': `${comment}\nexport interface RunOptions {}\n${run}`,
  }
  expect(undocumented(files)).toEqual(violations)
})
