/** Checks the conformance statement: complete lists, existing tests, matching tables. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Violation } from '../checks/violation.ts'
import { filesBelow } from '../repository.ts'
import type { Tables } from '../tables.ts'
import type { ItemList, Proof } from './item.ts'
import { propertyNames, testTitles, type Weakness } from './test-titles.ts'

/** The tables behind the statement. */
export type StatementTables = Pick<Tables, 'bindings' | 'drivers' | 'policies' | 'runnablePolicies'>

/** Checks all claims of the statement below a root. */
export function checkStatement(root: string, lists: readonly ItemList[], tables: StatementTables): Violation[] {
  const faults = [...lists.flatMap(listFaults), ...proofFaults(root, lists), ...tableFaults(root, tables)]
  return faults.map((message) => ({
    ...{ file: 'scripts/statement', line: 1, message },
    mend: 'correct the table, or write the test',
  }))
}

function listFaults({ title, ids, items }: ItemList): string[] {
  const given = items.map(({ id }) => id)
  const order = given.join() === ids.join() ? [] : [`${title}: has ${given.join(', ')} and not ${ids.join(', ')}`]
  const bare = items.filter(({ shownBy }) => shownBy.length === 0)
  const open = items.filter(({ met, exceptions = [] }) => (met !== 'yes') !== exceptions.length > 0)
  return [
    ...order,
    ...bare.map(({ id }) => `${title}: item ${id} has no proof`),
    ...open.map(({ id, met }) => `${title}: item ${id} is met (${met}), but has exceptions`),
  ]
}

function proofFaults(root: string, lists: readonly ItemList[]): string[] {
  const proofs = lists.flatMap(({ title, items }) =>
    items.flatMap(({ id, shownBy }) => shownBy.map((shown) => ({ ...shown, of: `${title}: item ${id}` }))),
  )
  const titles = new Map<string, Map<string, Weakness | undefined> | undefined>()
  for (const { file } of proofs) titles.set(file, titlesOf(root, file))
  return proofs.flatMap(({ file, title, of }) => {
    const known = titles.get(file)
    if (known === undefined) return [`${of}: ${file} does not exist`]
    if (!known.has(title)) return [`${of}: ${file} has no test "${title}"`]
    const weakness = known.get(title)
    return weakness === undefined ? [] : [`${of}: "${title}" in ${file} ${weaknesses[weakness]}`]
  })
}

const weaknesses: { readonly [kind in Weakness]: string } = {
  skipped: 'is or may be skipped',
  table: 'only compares with our own tables',
}

function titlesOf(root: string, file: Proof['file']): Map<string, Weakness | undefined> | undefined {
  const path = join(root, file)
  return existsSync(path) ? testTitles(readFileSync(path, 'utf8')) : undefined
}

function tableFaults(root: string, { bindings, drivers, policies, runnablePolicies }: StatementTables): string[] {
  const modes = bindings.flatMap((binding) => binding.modes)
  const undriven = modes.filter(({ mode }) => !drivers.some((driver) => driver.mode === mode))
  const unbound = drivers.filter((driver) => !modes.some(({ mode }) => mode === driver.mode))
  const unrun = policies.filter((id) => !runnablePolicies.includes(id))
  return [
    ...undriven.map(({ mode }) => `the mode ${mode} has no driver`),
    ...unbound.map(({ mode }) => `the driver of ${mode} has no binding`),
    ...unrun.map((id) => `the policy ${id} is not run`),
    ...modes.flatMap(({ mode, stateKeys }) => [...contractFaults(root, mode), ...keyFaults(root, mode, stateKeys)]),
  ]
}

/** Returns errors for a driver without a contract test. */
function contractFaults(root: string, mode: string): string[] {
  const file = `packages/arena/test/drivers/contract/${mode.replaceAll('_', '-')}.test.ts`
  return existsSync(join(root, file)) ? [] : [`the driver of ${mode} has no contract test: ${file} does not exist`]
}

/** Returns errors for state keys that no test of the driver uses. */
function keyFaults(root: string, mode: string, keys: readonly string[]): string[] {
  const folder = `packages/arena/test/drivers/${mode.replaceAll('_', '-')}`
  const texts = filesBelow(root, folder, '.test.ts').map((file) => readFileSync(join(root, file), 'utf8'))
  const used = new Set(texts.flatMap((text) => [...propertyNames(text)]))
  return keys.filter((key) => !used.has(key)).map((key) => `no test in ${folder} uses the state key ${key}`)
}
