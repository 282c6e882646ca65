import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { extractProtocol } from '@joust/oatf'
import { simulationVersion } from '@joust/sim'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../../scripts/repository.ts'
import * as api from '../src/index.ts'

const { library, libraryAttack, libraryProofs, librarySuites, libraryText } = api
const folder = join(repositoryRoot(), 'library')

test('the public names', () => {
  expect(Object.keys(api).sort()).toEqual(['library', 'libraryAttack', 'libraryProofs', 'librarySuites', 'libraryText'])
})

test('every document of the library, with its text', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.oatf.yaml'))
  expect(library.map(({ file }) => file)).toEqual(files.sort())
  for (const { name, file } of library) expect(libraryText(name)).toBe(readFileSync(join(folder, file), 'utf8'))
})

test('the index agrees with the loaded documents', () => {
  for (const { name, file, ...row } of library) {
    const { id, name: title, severity, classification, execution } = libraryAttack(name).document.attack
    const protocols = [...new Set(execution.actors.map(({ mode }) => extractProtocol(mode)))]
    const { category, tags = [] } = classification ?? {}
    const mappings = (classification?.mappings ?? []).map((one) => ({ framework: one.framework, id: one.id }))
    expect({ file, ...row }).toEqual({
      file,
      id,
      title,
      severity: severity?.level,
      category,
      protocols,
      tags,
      mappings,
    })
  }
})

test('suites: by framework, and ten documents of all categories and protocols', () => {
  const namesOf = (suite: string) => librarySuites.find(({ name }) => name === suite)?.attacks.map(({ name }) => name)
  expect(librarySuites.map(({ name }) => name)).toEqual(['owasp-agentic', 'owasp-mcp', 'atlas', 'quick'])
  expect(namesOf('owasp-mcp')).toContain('schema-poisoning')
  expect(namesOf('owasp-mcp')).not.toContain('artifact-poisoning')
  expect(namesOf('quick')).toHaveLength(10)
  const quick = librarySuites.find(({ name }) => name === 'quick')?.attacks ?? []
  expect(new Set(quick.map(({ category }) => category))).toEqual(new Set(library.map(({ category }) => category)))
  expect(new Set(quick.flatMap(({ protocols }) => protocols))).toEqual(new Set(['mcp', 'a2a', 'ag_ui']))
})

test('a proof for each document, for this version of the simulation only', () => {
  const proofs = libraryProofs(simulationVersion)
  expect(library.filter(({ name }) => !proofs.has(libraryAttack(name).fingerprint))).toEqual([])
  expect(libraryProofs(simulationVersion + 1).size).toBe(0)
})

test('an unknown name is a programming error that says so', () => {
  expect(() => libraryAttack('nothing' as api.LibraryName)).toThrow('unknown attack "nothing"')
})
