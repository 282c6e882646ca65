import { own } from '@joust/source'
import type { Places } from './places.ts'

/** Set on the attack: what goes over the wire is sent as written. */
export const VERBATIM = 'x-joust-verbatim'

export function isVerbatim({ attack }: Pick<Places, 'attack'>): boolean {
  return own(attack, VERBATIM) === true
}
