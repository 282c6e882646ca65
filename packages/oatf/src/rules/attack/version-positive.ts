import { describeValue, isInteger, own } from '@joust/source'
import type { Rule } from '../rule.ts'

/** `attack.version`, when present, is a positive integer (V-035). */
export const versionPositive: Rule = (walk, report) => {
  const version = own(walk.attack, 'version')
  if (version === undefined) return
  if (isInteger(version) && version >= 1) return
  report(['attack', 'version'], `expected a whole number from 1 on, got ${describeValue(version)}`)
}
