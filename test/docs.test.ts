/** Runs every code block in the documentation. Needs the build, which `npm test` does first. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { load } from '@joust/oatf'
import { reportFormatNames } from '@joust/report/formats'
import { checkShape, readSource, toDoubles } from '@joust/source'
import { presets } from '@joust/targets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { restraintTable } from '../packages/adaptive/src/harden/restraints/table.ts'
import { projectShape } from '../packages/cli/src/project/shape.ts'
import { binary } from '../packages/cli/test/spawned.ts'
import { filesBelow, repositoryRoot } from '../scripts/repository.ts'
import { commandsOf, type Fence, fencesOf, outputAfter } from './fences.ts'
import { copyTree } from './scripts/tree.ts'
import { type Ended, runLine } from './shell.ts'

const root = repositoryRoot()
const commands = mkdtempSync(join(tmpdir(), 'joust-bin-'))
symlinkSync(binary, join(commands, 'joust'))
// Stands in for npx: runs an installed command without starting npm.
writeFileSync(join(commands, 'npx'), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 })
afterAll(() => rmSync(commands, { recursive: true, force: true }))
const languages = ['ts', 'python', 'sh', 'console', 'yaml', 'json', 'text']

/** Not run here: commands that install packages, run this test, or have their own test. */
const runElsewhere = [
  'npm ci',
  'npm test',
  'npm run demo',
  'npm run bench',
  'npm run peers',
  'npm run fleet',
  'npm run docs',
]

const { homepage }: { readonly homepage: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const readmes = filesBelow(root, 'packages', 'README.md').filter((file) => file.split('/').length === 3)

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...filesBelow(root, 'docs', '.md'),
  ...filesBelow(root, 'examples', '.md'),
  'library/README.md',
  ...readmes,
].map((file) => {
  const text = readFileSync(join(root, file), 'utf8')
  const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)|^\[[^\]]+\]: ([^\s#]+)/gm)].map(
    ([, one, other]) => one ?? other ?? '',
  )
  const paths = [...text.matchAll(/`((?:packages|scripts|docs|test)\/[\w./-]+)`/g)].map((match) => match[1] ?? '')
  return { file, fences: fencesOf(text), links: links.flatMap((link) => pathOf(link, file)), paths }
})

/** The path of a link to a file of the repository, by its address or relative to the document; empty for other links. */
function pathOf(link: string, document: string): string[] {
  const [, place] = new RegExp(`^${homepage}/(?:blob|tree)/main/(.+)`).exec(link) ?? []
  if (place !== undefined) return [join(root, place)]
  return link.includes('://') ? [] : [join(root, dirname(document), link)]
}

const blocks = documents.flatMap(({ file, fences }) =>
  fences.map((fence) => ({ place: `${file}:${fence.line}`, file, fence, output: outputAfter(fences, fence) })),
)
const inLanguage = (...wanted: string[]) => blocks.filter(({ fence }) => wanted.includes(fence.language))

test('every block is in a language that can be checked', () => {
  expect(blocks.filter(({ fence }) => !languages.includes(fence.language)).map(({ place }) => place)).toEqual([])
})

describe('TypeScript', () => {
  const programs = inLanguage('ts').map((block, index) => ({ ...block, index, name: `block-${index}` }))
  let folder = ''
  let ended: readonly { readonly printed: string; readonly failure?: string }[] = []

  beforeAll(() => {
    // Inside the repository, so that packages are found by name.
    mkdirSync(join(root, 'node_modules', '.cache'), { recursive: true })
    folder = mkdtempSync(join(root, 'node_modules', '.cache', 'docs-'))
    for (const { name, fence } of programs) writeFileSync(join(folder, `${name}.ts`), fence.text)
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    const noTypes = { composite: false, declaration: false, declarationMap: false }
    const options = { ...noTypes, noUnusedLocals: false, types: ['node'], outDir: 'out' }
    const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions: options, files: names('.ts') }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const compiled = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder])
    expect(compiled.stdout.toString()).toBe('')
    const output = execFileSync(process.execPath, [join(root, 'test/import-each.mjs'), ...paths()], { cwd: root })
    ended = JSON.parse(output.toString())
  }, 240_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('has blocks in the guide to the packages and in the README of the SDK', () => {
    expect(programs.map(({ place }) => place.split(':')[0])).toEqual(
      expect.arrayContaining(['docs/packages.md', 'packages/oatf/README.md']),
    )
  })

  test.each(programs)('$place', ({ index, output }) => {
    const { failure, printed } = ended[index] ?? {}
    expect(failure).toBeUndefined()
    expect(printed).toBe(output ?? printed)
  })

  function names(ending: string): string[] {
    return programs.map(({ name }) => `${name}${ending}`)
  }

  function paths(): string[] {
    return names('.js').map((name) => join(folder, 'out', name))
  }
})

const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) console.warn('SKIPPED: no python3, so the Python programs in the documentation are not compiled')

// The packages that they import are not installed.
describe.skipIf(!hasPython)('Python', () => {
  const check = 'import sys; compile(sys.stdin.read(), "block", "exec", optimize=0)'
  const compiled = (input: string) => spawnSync('python3', ['-W', 'error', '-c', check], { input, encoding: 'utf8' })

  test.each(inLanguage('python'))('$place', ({ fence }) => {
    expect(compiled(fence.text)).toMatchObject({ status: 0, stderr: '' })
  })

  test('a program with a mistake is found', () => {
    expect(compiled('async def f():\n    return\nawait f()\n').status).toBe(1)
  })
})

describe('commands', { timeout: 240_000 }, () => {
  const folders = new Map<string, string>()
  afterAll(() => {
    for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true })
  })

  /** The working directory that all blocks of a document marked `clean` share. */
  function cleanFolder(file: string): string {
    const folder = folders.get(file) ?? mkdtempSync(join(tmpdir(), 'joust-docs-'))
    if (!folders.has(file)) {
      for (const name of ['examples', 'library', 'node_modules']) symlinkSync(join(root, name), join(folder, name))
      for (const { text, name } of namedFiles(file)) writeFileSync(join(folder, name), text)
    }
    folders.set(file, folder)
    return folder
  }

  test.each(inLanguage('sh', 'console'))('$place', async ({ file, fence, output }) => {
    const { marks } = fence
    const folder = marks.includes('scratch') ? scratchCopy() : marks.includes('clean') ? cleanFolder(file) : root
    for (const shown of commandsOf(fence)) {
      if (shown.command.split('&&').every((part) => runElsewhere.includes(part.trim()))) continue
      const { status, printed } = await runCommand(shown.command, folder)
      expect({ command: shown.command, status, printed: status === exitCodeOf(fence) ? '' : printed }).toEqual({
        command: shown.command,
        status: exitCodeOf(fence),
        printed: '',
      })
      const expected = shown.output ?? output
      if (expected !== undefined) expect(printed.trimEnd()).toBe(expected.trimEnd())
    }
  })
})

test.each(inLanguage('yaml').filter(({ fence }) => /^oatf:/m.test(fence.text)))('YAML $place', ({ fence }) => {
  expect(load(fence.text).ok).toBe(!fence.marks.includes('invalid'))
})

test.each(inLanguage('yaml').filter(({ fence }) => /^targets:/m.test(fence.text)))('joust.yaml $place', ({ fence }) => {
  const source = readSource(fence.text)
  expect(source.ok && checkShape(toDoubles(source.value.value), projectShape)).toEqual([])
})

test.each(inLanguage('json'))('JSON $place', ({ fence }) => {
  expect(() => JSON.parse(fence.text)).not.toThrow()
})

test('every link to a file of the repository is valid', () => {
  const dead = documents.flatMap(({ file, links }) =>
    links.filter((link) => !existsSync(link)).map((link) => `${file}: ${link}`),
  )
  expect(dead).toEqual([])
  expect(documents.flatMap(({ links }) => links).length).toBeGreaterThan(200)
})

// Registries show these pages without the repository.
test('every picture is shown on a page', () => {
  const pages = ['README.md', ...filesBelow(root, 'docs', '.md')].map((file) => readFileSync(join(root, file), 'utf8'))
  const unused = readdirSync(join(root, 'docs', 'images')).filter((name) => !pages.join().includes(`images/${name}`))
  expect(unused).toEqual([])
})

test('links in the READMEs of packages are absolute', () => {
  const texts = readmes.map((file) => readFileSync(join(root, file), 'utf8'))
  expect(texts.flatMap((text) => text.match(/\]\((?!https:)[^)]+\)|^\[[^\]]+\]: (?!https:).+/gm) ?? [])).toEqual([])
})

test('every path below packages, scripts, docs and test exists', () => {
  const named = documents.flatMap(({ file, paths }) => paths.map((path) => ({ file, path })))
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([])
})

const folders = ['bench', 'docs', 'editors', 'examples', 'library', 'packages', 'peers', 'scripts', 'test']
const repositoryFiles = folders
  .flatMap((folder) => filesBelow(root, folder, ''))
  .filter((file) => !/\/(node_modules|dist)\//.test(file))

test.each(['ARCHITECTURE.md', 'docs/recipes.md'])('every file that %s names exists', (file) => {
  const text = readFileSync(join(root, file), 'utf8')
  const names = [...text.matchAll(/`([\w.*/-]+)`|^ {10}([\w/-]+) {2}|^\w+ +(packages\/\w+)/gm)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    .filter((name) => /\.(tsx?|mjs|md)$/.test(name) || folders.includes(name.split('/')[0] ?? ''))
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !isRepositoryPath(name))).toEqual([])
})

/** True for a file or folder, whole or as the end of its path; `*` is any part of a name. */
function isRepositoryPath(name: string): boolean {
  const pattern = name.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll('*', '[^/]*')
  const path = new RegExp(`(^|/)${pattern}(/|$)`)
  return repositoryFiles.some((file) => path.test(file)) || existsSync(join(root, name))
}

test.each([
  ['presets', 'docs/targets.md', presets.map(({ name }) => `--exec ${name}`)],
  ['formats of reports', 'docs/results.md', reportFormatNames],
  ['restraints', 'docs/hardening.md', restraintTable.map(({ name }) => name)],
])('the table of %s in %s has them all', (_, file, words) => {
  const rows = readFileSync(join(root, file), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
  expect(words.filter((word) => !rows.some((row) => row.includes(`| \`${word}\``)))).toEqual([])
})

test('the lines of the three programs in docs/writing-agents.md are counted', () => {
  const { fences = [] } = documents.find(({ file }) => file === 'docs/writing-agents.md') ?? {}
  const counts = ['pydantic', 'openai', 'agent'].map((name) =>
    fences
      .filter(({ marks }) => marks.includes(`lines=${name}`))
      .flatMap(({ text }) => text.split('\n').filter((line) => line.trim() !== ''))
      .length.toString(),
  )
  const text = readFileSync(join(root, 'docs/writing-agents.md'), 'utf8')
  const [, row = ''] = /^\| lines, without empty ones +\|(.*)$/m.exec(text) ?? []
  expect(row.split('|').map((cell) => /\d+/.exec(cell)?.[0])).toEqual([...counts, undefined])
})

/** The blocks marked `file=NAME`, which the commands of a document use as files. */
function namedFiles(file: string): { name: string; text: string }[] {
  const fences = documents.find((document) => document.file === file)?.fences ?? []
  return fences.flatMap(({ marks, text }) => {
    const name = marks.find((mark) => mark.startsWith('file='))?.slice('file='.length)
    return name === undefined ? [] : [{ name, text }]
  })
}

function exitCodeOf({ marks }: Fence): number {
  return Number(marks.find((mark) => mark.startsWith('exit='))?.slice('exit='.length) ?? 0)
}

function runCommand(command: string, cwd: string): Promise<Ended> {
  const path = [commands, join(root, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter)
  return runLine(command, cwd, { ...process.env, PATH: path, NO_COLOR: '1', npm_config_loglevel: 'error' })
}

/** A copy of the files that the scripts need, so that they do not change this repository. */
function scratchCopy(): string {
  return copyTree(root, ['tsconfig.base.json', 'scripts/dist', 'packages/oatf/src', 'packages/oatf/test'])
}
