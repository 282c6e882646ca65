import { cloneValue, type Value } from '@joust/source'
import type { Draft } from '../../src/steps/step.ts'
import { stepTable } from '../../src/steps/table.ts'

/** Runs one step alone over an attack and returns the result. */
export function runStep(code: string, attack: Value): unknown {
  const row = stepTable.find((candidate) => candidate.code === code)
  if (row === undefined) throw new Error(`no step ${code} in the table`)
  const draft: Draft = { oatf: '0.1', attack: cloneValue(attack) }
  row.apply(draft)
  return draft.attack
}
