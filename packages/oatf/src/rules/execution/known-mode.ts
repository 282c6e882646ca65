import { didYouMean } from '@joust/source'
import { knownModes } from '../../bindings/table.ts'
import { describeValue } from '../../model/describe-value.ts'
import { isMode } from '../names.ts'
import type { Rule } from '../rule.ts'
import { writtenModes } from './modes.ts'

/** A well-formed mode belongs to an included binding (W-002). */
export const knownMode: Rule = (walk, report) => {
  const known = knownModes()
  for (const { path, value } of writtenModes(walk)) {
    if (typeof value !== 'string' || !isMode(value) || known.includes(value)) continue
    const hint = didYouMean(value, known) || ` Known modes: ${known.join(', ')}.`
    report(path, `no included binding has the mode ${describeValue(value)}.${hint}`)
  }
}
