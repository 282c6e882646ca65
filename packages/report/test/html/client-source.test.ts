import { readdirSync, readFileSync } from 'node:fs'
import { Script } from 'node:vm'
import { expect, test } from 'vitest'
import { clientFiles, clientSource } from '../../src/html/client-source.ts'

const folder = new URL('../../src/html/client/', import.meta.url)
const read = (name: string) => readFileSync(new URL(`${name}.js`, folder), 'utf8')

test('every file of the client is in the script', () => {
  const there = readdirSync(folder).filter((file) => file.endsWith('.js'))
  expect(there.sort()).toEqual(clientFiles.map((name) => `${name}.js`).sort())
})

test('the files share one scope, so no name is given twice', () => {
  const names = clientFiles.flatMap((name) =>
    [...read(name).matchAll(/^(?:export )?(?:function|const|let|class) (\w+)/gm)].map((found) => found[1]),
  )
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([])
})

test('what a file needs while it is loaded stands before it', () => {
  for (const [place, name] of clientFiles.entries()) {
    const needed = [...read(name).matchAll(/^import .* from '\.\/([\w-]+)\.js'/gms)].map((found) => found[1] ?? '')
    for (const one of needed) expect(clientFiles.slice(0, place), `${name} imports ${one}`).toContain(one)
  }
})

test('what files import from packages is written out', () => {
  const imported = clientFiles.flatMap((name) => [...read(name).matchAll(/^import \{(.*)\} from '@joust\/oatf'/gm)])
  const names = imported.flatMap(([, found = '']) => found.split(',').map((each) => each.trim()))
  expect(names).toContain('severityLevels')
  const source = clientSource()
  for (const name of names) expect(source).toMatch(new RegExp(`^const ${name} = \\[`, 'm'))
})

test('the script is one that parses, without modules and without what could end its element', () => {
  const source = clientSource()
  expect(() => new Script(source)).not.toThrow()
  expect(source).not.toMatch(/^(?:import|export) /m)
  expect(source).not.toMatch(/<\/script|<!--/i)
})

test('untrusted text can become text only', () => {
  const ways =
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|srcdoc|\beval\b|new Function|setHTML|javascript:|\.cssText|'style'/
  for (const name of clientFiles) expect(read(name), name).not.toMatch(ways)
})
