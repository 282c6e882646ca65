import { own } from '@joust/source'
import type { Attack } from './document.ts'

export const REMEDIATION = 'x-joust-remediation'

/** Maximum length of a remediation, in characters. */
export const MOST_REMEDIATION = 400

/** Returns the change to the agent or its host that stops the attack; undefined if missing or invalid. */
export function remediationOf(attack: Attack): string | undefined {
  const text = own(attack, REMEDIATION)
  return typeof text === 'string' && text.trim() !== '' && text.length <= MOST_REMEDIATION ? text.trim() : undefined
}
