import { indicatorId } from '../primitives/indicator-id.ts'
import { attackOf, mappingsAt, setDefault } from './draft.ts'
import type { Step } from './step.ts'

/** Indicators without an id get one from their position (§11.2.3). */
export const indicatorIds: Step = (draft) => {
  const attack = attackOf(draft)
  const attackId = typeof attack?.id === 'string' ? attack.id : undefined
  for (const [index, indicator] of mappingsAt(attack, 'indicators')) {
    setDefault(indicator, 'id', indicatorId(attackId, { target: '' }, index))
  }
}
