/** The same attack in two results. */
import type { AttackResults } from './model.ts'

/** Two attacks that are one; undefined where one side has none. */
type AttackPair = readonly [AttackResults | undefined, AttackResults | undefined]

/** Pairs attacks by id, or by file where there is no id or several attacks share one. First those of the left side. */
export function matchAttacks(left: readonly AttackResults[], right: readonly AttackResults[]): AttackPair[] {
  const shared = new Set([...repeated(left), ...repeated(right)])
  const keyOf = ({ attack, file }: AttackResults) =>
    attack.id === undefined || shared.has(attack.id) ? `file ${file}` : `id ${attack.id}`
  const there = new Map(right.map((attack) => [keyOf(attack), attack]))
  const known = new Set(left.map(keyOf))
  return [
    ...left.map((attack): AttackPair => [attack, there.get(keyOf(attack))]),
    ...right.filter((attack) => !known.has(keyOf(attack))).map((attack): AttackPair => [undefined, attack]),
  ]
}

function repeated(attacks: readonly AttackResults[]): string[] {
  const seen = new Set<string>()
  return attacks.flatMap(({ attack: { id } }) => {
    if (id === undefined) return []
    if (seen.has(id)) return [id]
    seen.add(id)
    return []
  })
}
