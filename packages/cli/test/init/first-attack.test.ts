import { proveAttacks } from '@joust/adaptive'
import { lint, load } from '@joust/oatf'
import { expect, test } from 'vitest'
import { firstAttack } from '../../src/init/first-attack.ts'

const loaded = load(firstAttack)
if (!loaded.ok) throw new Error(JSON.stringify(loaded.error))
const attack = loaded.value

test('lint finds nothing in it', () => expect(lint(attack.written)).toEqual([]))

test('it tells agents apart', async () => {
  const [proof] = await proveAttacks([{ file: 'first', attack }])
  expect(proof?.faults).toEqual([])
})
