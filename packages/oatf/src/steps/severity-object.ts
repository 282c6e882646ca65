import { attackOf } from './draft.ts'
import type { Step } from './step.ts'

/** A severity that is a word becomes an object with the default confidence (§11.2.2). */
export const severityObject: Step = (draft) => {
  const attack = attackOf(draft)
  if (attack !== undefined && typeof attack.severity === 'string') {
    attack.severity = { level: attack.severity, confidence: 50 }
  }
}
