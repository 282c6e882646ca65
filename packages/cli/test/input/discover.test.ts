import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { discover, discoverAttacks, type InputFile } from '../../src/input/discover.ts'
import { assets } from '../../src/terminal/assets.ts'
import { folder } from '../world.ts'

const names = async (words: string[], cwd: string) => {
  const files = await discover(words, cwd)
  const wordOf = ({ folder, named }: InputFile) => folder ?? (named ? 'named' : 'found')
  return files.ok ? files.value.map((file) => `${wordOf(file)} ${file.name}`) : files.error
}

test('a file that is both named and found is listed once, as named', async () => {
  const cwd = folder({ 'd/a.yaml': '', 'd/b.yaml': '' })
  expect(await names(['d', 'd/a.yaml'], cwd)).toEqual(['named d/a.yaml', 'found d/b.yaml'])
  expect(await names(['./d/../d/a.yaml', 'd'], cwd)).toEqual(['named d/a.yaml', 'found d/b.yaml'])
})

test('names come in code-point order', async () => {
  const cwd = folder({ 'ä.yaml': '', 'b.yaml': '', 'B.yaml': '', 'a/z.yaml': '', '\u{1f600}.yaml': '', '～.yaml': '' })
  expect(await names(['.'], cwd)).toEqual(
    ['B.yaml', 'a/z.yaml', 'b.yaml', 'ä.yaml', '～.yaml', '\u{1f600}.yaml'].map((name) => `found ${name}`),
  )
})

test('an existing name with glob characters is a name', async () => {
  const cwd = folder({ 'a{b}.yaml': '', 'ab.yaml': '' })
  expect(await names(['a{b}.yaml'], cwd)).toEqual(['named a{b}.yaml'])
})

test('globs may start above, below or at the root', async () => {
  const cwd = folder({ 'a/b/c.yaml': '', 'a/d.yaml': '' })
  expect(await names(['./a/**/*.yaml'], cwd)).toEqual(['named a/b/c.yaml', 'named a/d.yaml'])
  expect(await names([`${cwd}/a/*.yaml`], cwd)).toEqual(['named a/d.yaml'])
  expect(await names(['../*/d.yaml'], join(cwd, 'a', 'b'))).toEqual(['../*/d.yaml: no file matches'])
  expect(await names(['../*.yaml'], join(cwd, 'a', 'b'))).toEqual(['named ../d.yaml'])
})

test('the error for each argument', async () => {
  const cwd = folder({ 'a.yaml': '' })
  expect(await names(['a.yaml', 'b', 'a.yaml/x', 'no/*.yaml', '{a,b}'.repeat(20)], cwd)).toEqual([
    'b: no such file',
    'a.yaml/x: no such file',
    'no/*.yaml: no file matches',
    expect.stringContaining('the braces expand to too many patterns'),
  ])
})

test('results of earlier runs are not searched, unless they are named', async () => {
  const cwd = folder({ 'a.yaml': '', 'd/joust-results/x/b.yaml': '', 'joust-results/x/c.yaml': '' })
  expect(await names(['.'], cwd)).toEqual(['found a.yaml'])
  expect(await names(['**/*.yaml'], cwd)).toEqual(['named a.yaml'])
  expect(await names(['joust-results', 'd/joust-results/x/*.yaml'], cwd)).toEqual([
    'named d/joust-results/x/b.yaml',
    'found joust-results/x/c.yaml',
  ])
})

test('links to folders are reported and not followed, links to files are followed', async () => {
  const cwd = folder({ 'd/a.yaml': '', 'outside/b.yaml': '' })
  for (const name of ['folder', '.hidden', 'node_modules', 'joust-results'])
    symlinkSync('../outside', join(cwd, 'd', name))
  symlinkSync('../outside/b.yaml', join(cwd, 'd', 'file.yaml'))
  symlinkSync('.', join(cwd, 'd', 'itself'))
  expect(await names(['d'], cwd)).toEqual(['found d/a.yaml', 'found d/file.yaml', 'linked d/folder'])
  expect(await names(['d/**/*.yaml'], cwd)).toEqual(['named d/a.yaml', 'named d/file.yaml', 'linked d/folder'])
  expect(await names(['d/*/*.yaml'], cwd)).toEqual(['linked d/folder'])
  expect(await names(['d/*.yaml'], cwd)).toEqual(['named d/a.yaml', 'named d/file.yaml'])
  expect(await names(['d/x*/*.yaml'], cwd)).toEqual(['d/x*/*.yaml: no file matches'])
  expect(await names(['d/folder'], cwd)).toEqual(['found d/folder/b.yaml'])
})

test('endings in capitals are endings', async () => {
  const cwd = folder({ 'd/a.oatf.YAML': '', 'd/b.Yml': '', 'd/c.JSON': '', 'd/e.txt': '' })
  expect(await names(['d'], cwd)).toEqual(['found d/a.oatf.YAML', 'found d/b.Yml', 'found d/c.JSON'])
})

test('files that would have one name are named by their paths', async () => {
  const cwd = folder({ 'library/time-bomb.oatf.yaml': '', '<stdin>': '' })
  const shipped = join(assets.library, 'time-bomb.oatf.yaml')
  expect(await names(['library', shipped], cwd)).toEqual(
    [`named ${shipped}`, `found ${join(cwd, 'library/time-bomb.oatf.yaml')}`].sort((a, b) =>
      a.slice(6) < b.slice(6) ? -1 : 1,
    ),
  )
  expect(await names(['-', '<stdin>'], cwd)).toEqual([`named ${join(cwd, '<stdin>')}`, 'named <stdin>'])
})

test('library means the built-in attacks, unless a folder has that name', async () => {
  const found = async (words: string[], cwd: string) => {
    const files = await discoverAttacks(words, cwd)
    return files.ok ? files.value.map(({ name }) => name) : files.error
  }
  expect(await found(['library/time-bomb.oatf.yaml', 'library/time-*.yaml'], folder({}))).toEqual([
    'library/time-bomb.oatf.yaml',
  ])
  expect((await found(['library'], folder({}))).length).toBeGreaterThan(30)
  expect(await found(['library/time-bomb'], folder({}))).toEqual(['library/time-bomb.oatf.yaml'])
  expect(await found(['library/nothing.yaml'], folder({}))).toEqual(['library/nothing.yaml: no such file'])
  const own = folder({ 'library/a.yaml': '' })
  expect(await found(['library'], own)).toEqual(['library/a.yaml'])
  expect(await found(['library/time-bomb.oatf.yaml'], own)).toEqual(['library/time-bomb.oatf.yaml: no such file'])
  expect(await names(['library'], folder({}))).toEqual(['library: no such file'])
})
