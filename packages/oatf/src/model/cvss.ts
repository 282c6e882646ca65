import { own, type ValueRecord } from '@joust/source'
import type { Attack } from './document.ts'

export const CVSS = 'x-joust-cvss'

/** Returns the CVSS 4.0 base score of the flaw that an attack uses; undefined if it is missing or invalid. */
export function cvssOf(attack: Attack | ValueRecord): number | undefined {
  const score = own(attack, CVSS)
  return typeof score === 'number' && score >= 0 && score <= 10 ? score : undefined
}
