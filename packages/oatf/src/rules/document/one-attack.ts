import { describeValue, isRecord, own } from '@joust/source'
import type { Rule } from '../rule.ts'

/** The document holds exactly one `attack` object (V-003). */
export const oneAttack: Rule = (walk, report) => {
  const attack = own(walk.document, 'attack')
  if (attack === undefined) report(['attack'], 'the field "attack" is required: a mapping with at least "execution"')
  else if (!isRecord(attack)) {
    report(
      ['attack'],
      `expected one attack as a mapping, got ${describeValue(attack)}; a document holds a single attack`,
    )
  }
}
