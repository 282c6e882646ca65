import type { SequentialConfig } from '../model/policy.ts'
import type { PolicyPlan } from './plan.ts'
import { plannedOutput, stepDelegations } from './steps.ts'

/** `agf.sequential`: each step finishes before the next one starts. */
export function planSequential(config: SequentialConfig): PolicyPlan {
  return {
    policy: 'agf.sequential',
    order: 'sequence',
    delegations: stepDelegations(config.steps, 'steps'),
    conditions: [],
    ...plannedOutput(config.output_from, 'last'),
  }
}
