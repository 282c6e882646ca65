import { own } from '@joust/source'
import type { Places } from './places.ts'

/** On the attack: what goes on the wire goes as written. */
export const VERBATIM = 'x-joust-verbatim'

export function isVerbatim({ attack }: Pick<Places, 'attack'>): boolean {
  return own(attack, VERBATIM) === true
}
