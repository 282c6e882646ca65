import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../../../scripts/repository.ts'
import { providers } from '../../src/models/providers.ts'

test('docs/writing-attacks.md has the variables of every provider, in order of precedence', () => {
  const text = readFileSync(join(repositoryRoot(), 'docs/writing-attacks.md'), 'utf8')
  const [, table = ''] = /^\| provider .*\n((?:\|.*\n)+)/m.exec(text) ?? []
  const rows = table.split('\n').slice(1, -1)
  const told = rows.map((row) => row.split('|').map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)))
  expect(told.map(([, name, keys, addresses]) => [name?.[0], keys, addresses])).toEqual(
    Object.entries(providers).map(([name, { keys, baseUrls }]) => [name, keys, baseUrls]),
  )
})
