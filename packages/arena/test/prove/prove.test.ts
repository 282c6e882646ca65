import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from '@joust/oatf'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../../../scripts/repository.ts'
import { proveAttacks } from '../../src/prove.ts'

test('a program can prove documents, and hears of each proof', async () => {
  const text = readFileSync(join(repositoryRoot(), 'library/error-message-injection.oatf.yaml'), 'utf8')
  const attacks = [
    { file: 'b', attack: loaded(text) },
    // Nobody can be seen falling for it.
    { file: 'a', attack: loaded(text.replaceAll(/^( +)surface: .*/gm, '$1surface: tools/list')) },
  ]
  const told: string[] = []
  const proofs = await proveAttacks(attacks, { onProof: ({ file }) => told.push(file) })
  expect(proofs.map(({ file, proven }) => [file, proven])).toEqual([
    ['a', false],
    ['b', true],
  ])
  expect(told.sort()).toEqual(['a', 'b'])
  expect(proofs[1]?.controls.absent).toMatchObject({ outcome: 'inconclusive' })
})

test('what is interrupted has no proof', async () => {
  const text = readFileSync(join(repositoryRoot(), 'library/error-message-injection.oatf.yaml'), 'utf8')
  expect(await proveAttacks([{ file: 'a', attack: loaded(text) }], { signal: AbortSignal.abort() })).toEqual([])
})

function loaded(text: string) {
  const result = load(text)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}
