import type { PolicyPlan } from './plan.ts'

/** `agf.react`: the model decides what runs, so nothing is planned. */
export function planReact(): PolicyPlan {
  return { policy: 'agf.react', order: 'choice', delegations: [], conditions: [] }
}
